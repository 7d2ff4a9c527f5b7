"""Where frames come from: a picture, a folder, a pattern, a video file, a camera, a stream on the network."""

from domino_vision.sources.base import Failures, Shot, Source, readable
from domino_vision.sources.opening import open_source
from domino_vision.sources.pictures import PictureSource, decode_picture, list_pictures, read_picture
from domino_vision.sources.video import LiveSource, VideoFileSource

__all__ = [
    "Failures",
    "LiveSource",
    "PictureSource",
    "Shot",
    "Source",
    "VideoFileSource",
    "decode_picture",
    "list_pictures",
    "open_source",
    "read_picture",
    "readable",
]
