"""Path-traced pictures of domino tables with exact labels, for training and measuring.

What lies on the table is planned by :mod:`domino_vision.synth`; here it becomes solids, light and a camera. Only
`backend` talks to Mitsuba (the extra `render`), inside functions; all the rest is plain geometry.
"""
