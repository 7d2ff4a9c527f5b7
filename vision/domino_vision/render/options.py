"""What may be rendered."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from domino_vision.render.errors import RenderError
from domino_vision.synth.plan import KINDS
from domino_vision.synth.styles import SET_MAX, TileStyle

RENDER_KINDS = (*KINDS, "bingo", "tiu-u")
RENDER_CHANCES = (0.22, 0.13, 0.17, 0.11, 0.18, 0.04, 0.03, 0.0, 0.07, 0.05)
VARIANTS = ("scalar_rgb", "llvm_ad_rgb", "cuda_ad_rgb")
SETS = ("double-six", "double-six", "double-nine", "double-twelve", "chinese")
SIZES = ((640, 480), (480, 640), (640, 640), (854, 480), (800, 600))


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """What may be rendered and how well.

    Attributes:
        sets: set names, one is taken at random for each picture.
        kind: one of ``RENDER_KINDS``, or "any".
        size_wh: picture size in pixels; one of ``SIZES`` at random if None.
        samples: paths a pixel.
        tile_fraction: range of a tile's length over the picture's long side.
        tilt_deg: range of the camera's height over the table, 90 = straight down.
        harm: how bad lens, sensor and file format make the picture, 0 (clean) to about 1.5.
        things: greatest number of things that are not tiles.
        occluders: chance of a hand or a cup among the tiles.
        lookalikes: chance of printed dominoes and playing cards under and beside the tiles.
        denoise: smooth what noise the paths leave.
        variant: variant of Mitsuba; "scalar_rgb" needs nothing else and gives the same bits every time.
        style: look of the tiles; random if None.
    """

    sets: tuple[str, ...] = SETS
    kind: str = "any"
    size_wh: tuple[int, int] | None = None
    samples: int = 32
    tile_fraction: tuple[float, float] = (0.04, 0.40)
    tilt_deg: tuple[float, float] = (35.0, 90.0)
    harm: float = 0.6
    things: int = 5
    occluders: float = 0.15
    lookalikes: float = 0.0
    denoise: bool = True
    variant: str = "scalar_rgb"
    style: TileStyle | None = None

    def __post_init__(self) -> None:
        """Check every value.

        Raises:
            RenderError: `unknown_kind`, `render_variant` or `render_option`.
        """
        if self.kind not in (*RENDER_KINDS, "any"):
            known = ", ".join(RENDER_KINDS)
            raise RenderError("unknown_kind", f"no scene of the kind {self.kind!r}; known: {known}", kind=self.kind)
        if self.variant not in VARIANTS:
            message = f"no variant {self.variant!r}; known: {', '.join(VARIANTS)}"
            raise RenderError("render_variant", message, variant=self.variant)
        wrong = [name for name in self.sets if name not in SET_MAX]
        if wrong or not self.sets:
            message = f"no tiles of the set {wrong[0] if wrong else ''!r}; known: {', '.join(SET_MAX)}"
            raise RenderError("render_option", message, option="sets")
        self._whole("samples", self.samples, 1, 65536)
        self._whole("things", self.things, 0, 100)
        self._between("harm", self.harm, 0, 2)
        self._between("occluders", self.occluders, 0, 1)
        self._between("lookalikes", self.lookalikes, 0, 1)
        if self.size_wh is not None:
            for side in self._pair("size_wh", self.size_wh):
                self._whole("size_wh", side, 64, 4096)
        for name, pair, low, high in (
            ("tile_fraction", self.tile_fraction, 0.01, 1),
            ("tilt_deg", self.tilt_deg, 10, 90),
        ):
            for value in self._pair(name, pair):
                self._between(name, value, low, high)

    @staticmethod
    def _pair(name: str, value: Any) -> tuple[Any, Any]:
        if not isinstance(value, tuple) or len(value) != 2:
            raise RenderError("render_option", f"{name} is a pair of numbers, not {value!r}", option=name)
        return value[0], value[1]

    @staticmethod
    def _between(name: str, value: object, low: float, high: float) -> None:
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise RenderError("render_option", f"{name} is {value!r}, not {low} to {high}", option=name)

    @classmethod
    def _whole(cls, name: str, value: object, low: int, high: int) -> None:
        cls._between(name, value if isinstance(value, int) else None, low, high)


def options_from(raw: Mapping[str, Any], base: RenderOptions | None = None) -> RenderOptions:
    """Options with some values replaced by those of a mapping, as read from a YAML file.

    Args:
        raw: names and values of :class:`RenderOptions`; lists stand for tuples.
        base: what the rest is taken from.

    Raises:
        RenderError: `render_option` for a name that there is not or a value of the wrong kind; as `RenderOptions`.
    """
    known = {field.name for field in fields(RenderOptions)} - {"style"}
    for name in raw:
        if name not in known:
            raise RenderError("render_option", f"no option {name!r}; known: {', '.join(sorted(known))}", option=name)
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in raw.items()}
    try:
        return replace(base or RenderOptions(), **values)
    except TypeError as error:
        raise RenderError("render_option", f"an option has a value of the wrong kind: {error}", option="") from error
