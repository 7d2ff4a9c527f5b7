"""REST routes of version 1, and the pages."""
