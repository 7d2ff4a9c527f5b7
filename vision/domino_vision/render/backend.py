"""The path tracer: hands solids, lights and camera to Mitsuba and gives back light and owners pixel by pixel.

Mitsuba is the optional extra `render`; it is imported inside functions only. Variant `scalar_rgb` needs no compiler and
gives the same bits on every run; `llvm_ad_rgb` is faster on large pictures and needs LLVM 17 or newer
(`DRJIT_LIBLLVM_PATH` names its library).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from domino_vision.render.errors import RenderError
from domino_vision.render.lens import PinHole
from domino_vision.render.lights import Lights
from domino_vision.render.solids import NOBODY, Material, Solid
from domino_vision.synth.paint import F32, F64

I32 = NDArray[np.int32]
_DEPTH = {False: 6, True: 12}


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """How a scene is seen.

    Attributes:
        pinhole: the camera; its principal point is a whole pixel (thin lenses know no other than the film's middle).
        size_wh: size of the finished picture; what is traced reaches ``margin`` pixels beyond every side.
        margin: pixels.
        aperture: radius of the lens in tile widths, 0 for a pin-hole.
        focus: distance that is sharp.
        samples: paths a pixel.
        seed: of the paths.
    """

    pinhole: PinHole
    size_wh: tuple[int, int]
    margin: int
    aperture: float
    focus: float
    samples: int
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class Traced:
    """What the tracer saw, with the margin.

    Attributes:
        light: (h, w, 3) float32 linear RGB.
        owners: (h, w) int32, the owner of what a pixel shows, ``NOBODY`` for things and table.
        albedo: (h, w, 3) float32 linear RGB colour of surfaces without light, for smoothing.
        normals: (h, w, 3) float32.
    """

    light: F32
    owners: I32
    albedo: F32
    normals: F32


def load_mitsuba(variant: str) -> Any:
    """Import Mitsuba and choose its variant.

    Raises:
        RenderError: `extra_missing` without the extra `render`, `render_variant` where the variant cannot run.
    """
    try:
        import mitsuba
    except ImportError as error:
        message = "rendering needs the extra `render`: pip install 'dominotable[render]'"
        raise RenderError("extra_missing", message, extra="render") from error
    try:
        if mitsuba.variant() != variant:
            mitsuba.set_variant(variant)
    except Exception as error:  # Mitsuba's own errors are plain ImportError and RuntimeError
        raise RenderError("render_variant", f"Mitsuba cannot run {variant}: {error}", variant=variant) from error
    return mitsuba


def _texture(mi: Any, material: Material) -> Any:
    if isinstance(material.colour, tuple):
        rgb = (np.array(material.colour[::-1]) / 255.0) ** 2.2
        return {"type": "rgb", "value": [float(v) for v in rgb]}
    picture = mi.Bitmap(np.ascontiguousarray(material.colour[:, :, ::-1]))
    wrap = "mirror" if material.mirror else "repeat"
    return {"type": "bitmap", "bitmap": picture, "filter_type": "bilinear", "wrap_mode": wrap}


def _surface(mi: Any, material: Material) -> Any:
    surface: dict[str, Any] = {
        "type": "principled",
        "base_color": _texture(mi, material),
        "roughness": max(0.01, material.roughness),
        "specular": material.specular,
    }
    if material.metal > 0:
        surface["metallic"] = material.metal
    if material.coat > 0:
        surface |= {"clearcoat": material.coat, "clearcoat_gloss": 0.95}
    if material.sheen > 0:
        surface |= {"sheen": material.sheen, "sheen_tint": 0.5}
    if isinstance(material.clear, np.ndarray):
        share = mi.Bitmap(np.ascontiguousarray(material.clear[:, :, None]).astype(np.float32) / 255)
        surface["spec_trans"] = {"type": "bitmap", "bitmap": share, "raw": True}
    elif material.clear > 0:
        surface["spec_trans"] = material.clear
    return mi.load_dict(surface)


def _mesh(mi: Any, solid: Solid, name: str) -> Any:
    mesh = solid.mesh
    properties = mi.Properties()
    properties["surface"] = _surface(mi, solid.material)
    shape = mi.Mesh(
        name,
        len(mesh.vertices),
        len(mesh.faces),
        has_vertex_normals=True,
        has_vertex_texcoords=True,
        props=properties,
    )
    values = mi.traverse(shape)
    values["vertex_positions"] = mesh.vertices.astype(np.float32).ravel()
    values["vertex_normals"] = mesh.normals.astype(np.float32).ravel()
    values["vertex_texcoords"] = mesh.uv.astype(np.float32).ravel()
    values["faces"] = mesh.faces.astype(np.uint32).ravel()
    values.update()
    return shape


def _emitters(mi: Any, lights: Lights) -> dict[str, Any]:
    pose = mi.ScalarTransform4f
    found: dict[str, Any] = {
        "room": {
            "type": "envmap",
            "bitmap": mi.Bitmap(np.ascontiguousarray(lights.room)),
            "to_world": pose().rotate([1, 0, 0], 90),
        }
    }
    for index, lamp in enumerate(lights.lamps):
        way = lamp.aim - lamp.place
        up = [0, 1, 0] if abs(way[1]) < 0.9 * float(np.linalg.norm(way)) else [1, 0, 0]
        look = pose().look_at(lamp.place.tolist(), lamp.aim.tolist(), up)
        found[f"lamp{index}"] = {
            "type": "rectangle",
            "to_world": look.scale([*lamp.half, 1]),
            "emitter": {"type": "area", "radiance": {"type": "rgb", "value": lamp.radiance.tolist()}},
        }
    if lights.sun is not None:
        way, strength = lights.sun
        found["sun"] = {
            "type": "directional",
            "direction": way.tolist(),
            "irradiance": {"type": "rgb", "value": strength.tolist()},
        }
    return found


def _pose(pinhole: PinHole) -> F64:
    right, down, forward = pinhole.rotation
    matrix = np.eye(4)
    matrix[:3] = np.column_stack([-right, -down, forward, pinhole.position])
    return matrix


def _sensor(mi: Any, shot: Shot, samples: int, aperture: float) -> Any:
    width, height = (side + 2 * shot.margin for side in shot.size_wh)
    centre = np.rint(shot.pinhole.centre).astype(int) + shot.margin
    half_x, half_y = (int(max(c, side - c)) for c, side in zip(centre, (width, height), strict=True))
    sensor: dict[str, Any] = {
        "type": "thinlens" if aperture > 0 else "perspective",
        "fov": math.degrees(2 * math.atan(half_x / shot.pinhole.focal)),
        "fov_axis": "x",
        "near_clip": 0.02,
        "far_clip": 10_000.0,
        "to_world": mi.ScalarTransform4f(_pose(shot.pinhole).tolist()),
        "film": {
            "type": "hdrfilm",
            "width": 2 * half_x,
            "height": 2 * half_y,
            "crop_offset_x": int(half_x - centre[0]),
            "crop_offset_y": int(half_y - centre[1]),
            "crop_width": width,
            "crop_height": height,
            "pixel_format": "rgb",
            "component_format": "float32",
            "rfilter": {"type": "box"},
        },
        "sampler": {"type": "independent", "sample_count": samples},
    }
    if aperture > 0:
        sensor |= {"aperture_radius": aperture, "focus_distance": shot.focus}
    return mi.load_dict(sensor)


def trace(solids: Sequence[Solid], lights: Lights, shot: Shot, variant: str) -> Traced:
    """Trace a scene.

    Raises:
        RenderError: `extra_missing` or `render_variant`.
    """
    mi = load_mitsuba(variant)
    shapes = {f"s{index}": _mesh(mi, solid, f"s{index}") for index, solid in enumerate(solids)}
    whole = {"type": "scene", **shapes, **_emitters(mi, lights)}
    # Optimised, lamps change places by chance, and the noise with them. Vectorised variants number shapes as they were
    # made, so the lamps, which are made last, stand last.
    scene = mi.load_dict(whole, optimize=False)
    clear = any(not isinstance(s.material.clear, float) or s.material.clear > 0 for s in solids)
    path = mi.load_dict({"type": "path", "max_depth": _DEPTH[clear]})
    sensor = _sensor(mi, shot, shot.samples, shot.aperture)
    light = np.array(mi.render(scene, sensor=sensor, integrator=path, seed=shot.seed, spp=shot.samples))
    guides = mi.load_dict({"type": "aov", "aovs": "colour:albedo,normal:sh_normal,shape:shape_index"})
    still = _sensor(mi, shot, 1, 0.0)
    layers = np.array(mi.render(scene, sensor=still, integrator=guides, seed=shot.seed, spp=1))
    owners = np.full(len(scene.shapes()) + 1, NOBODY, np.int32)
    for place, shape in enumerate(scene.shapes(), 1):
        name = shape.id()
        if name.startswith("s") and name[1:].isdigit():
            owners[place] = solids[int(name[1:])].owner
    return Traced(
        light=np.asarray(light[:, :, :3], np.float32),
        owners=owners[np.rint(layers[:, :, -1]).astype(np.int64)],
        albedo=np.asarray(layers[:, :, -7:-4], np.float32),
        normals=np.asarray(layers[:, :, -4:-1], np.float32),
    )
