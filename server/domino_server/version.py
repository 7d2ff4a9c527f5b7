"""The version of the installed distribution."""

from importlib.metadata import PackageNotFoundError, version

try:
    VERSION = version("dominotable")
except PackageNotFoundError:  # the source tree on the path, not installed
    VERSION = "0+unknown"
