"""Reading domino tables from pictures: detection, halves, joins, layouts. Knows no game."""

import os

os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
# OpenCV reads it once, when it first touches a video: what goes wrong there is for our errors to say, not for stderr.
