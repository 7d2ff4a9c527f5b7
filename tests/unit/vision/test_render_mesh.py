"""Meshes of the path-traced generator: closed, of the right size, looking outwards."""

import numpy as np
import pytest

from domino_vision.render.mesh import FACE_SHARE, Mesh, Relief, about_z, ball, capsule, lathe, placed, tile_mesh

SHAPES = [
    ((2.0, 1.0, 0.35), 0.1, 0.05),
    ((2.0, 1.0, 0.35), 0.0, 0.0),
    ((2.4, 1.0, 0.5), 0.26, 0.08),
    ((1.0, 1.0, 0.1), 0.5, 0.01),
]


def _welded_edges(mesh: Mesh) -> tuple[np.ndarray, np.ndarray]:
    """Directed edges between places (vertices at one place are one), and how often each occurs."""
    _, place = np.unique(mesh.vertices.round(7), axis=0, return_inverse=True)
    faces = place.reshape(-1)[mesh.faces]
    edges = np.vstack([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    return np.unique(edges[edges[:, 0] != edges[:, 1]], axis=0, return_counts=True)


def _volume(mesh: Mesh) -> float:
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    return float((a * np.cross(b, c)).sum() / 6)


@pytest.mark.parametrize(("size", "corner", "bevel"), SHAPES)
def test_a_tile_is_closed_and_of_the_right_size(size: tuple[float, float, float], corner: float, bevel: float) -> None:
    """Every edge is used once in each direction, and the box has the size and nearly the volume asked for."""
    mesh = tile_mesh(size, corner, bevel, seam=size[2] / 2)
    edges, counts = _welded_edges(mesh)
    assert (counts == 1).all()
    assert {tuple(e) for e in edges.tolist()} == {(b, a) for a, b in edges.tolist()}
    assert np.allclose(mesh.vertices.min(axis=0), [-size[0] / 2, -size[1] / 2, 0], atol=1e-9)
    assert np.allclose(mesh.vertices.max(axis=0), [size[0] / 2, size[1] / 2, size[2]], atol=1e-9)
    whole = size[0] * size[1] * size[2]
    assert 0.7 * whole < _volume(mesh) <= whole + 1e-9


@pytest.mark.parametrize(("size", "corner", "bevel"), SHAPES)
def test_normals_look_outwards(size: tuple[float, float, float], corner: float, bevel: float) -> None:
    """Normals are unit vectors on the same side as the triangles' own."""
    mesh = tile_mesh(size, corner, bevel)
    assert np.allclose(np.linalg.norm(mesh.normals, axis=1), 1)
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    own = np.cross(b - a, c - a)
    large = np.linalg.norm(own, axis=1) > 1e-9
    assert ((own * mesh.normals[mesh.faces].mean(axis=1)).sum(axis=1)[large] > 0).all()


def test_the_face_carries_the_upper_part_of_the_texture() -> None:
    """The corner at -x, +y of the upper face has the texture's first row and column, and sides lie below the face's."""
    mesh = tile_mesh((2.0, 1.0, 0.4), 0.0, 0.0)
    top = mesh.vertices[:, 2] > 0.399
    corner = np.argmin(np.where(top, mesh.vertices[:, 0] - mesh.vertices[:, 1], np.inf))
    assert mesh.uv[corner].max() < 0.02
    assert mesh.uv[mesh.normals[:, 2] > 0.9][:, 1].max() <= FACE_SHARE + 1e-9
    assert mesh.uv[mesh.vertices[:, 2] < 0.39][:, 1].min() > FACE_SHARE


def test_an_engraving_sinks_the_face_where_it_is() -> None:
    """A hollow at the left of the relief lowers the face at -x by its depth, and nothing else."""
    heights = np.zeros((64, 128), np.float32)
    heights[24:40, 24:40] = -0.05
    mesh = tile_mesh((2.0, 1.0, 0.4), 0.1, 0.03, relief=Relief(heights), step=0.03)
    up = mesh.normals[:, 2] > 0.5
    hollow = up & (np.abs(mesh.vertices[:, 0] + 0.5) < 0.08) & (np.abs(mesh.vertices[:, 1]) < 0.08)
    flat = up & (mesh.vertices[:, 0] > 0) & (mesh.vertices[:, 0] < 0.9) & (np.abs(mesh.vertices[:, 1]) < 0.4)
    assert np.allclose(mesh.vertices[hollow, 2], 0.35, atol=1e-6)
    assert np.allclose(mesh.vertices[flat, 2], 0.4, atol=1e-6)
    assert (_welded_edges(mesh)[1] == 1).all()


def test_slopes_of_an_engraving_are_those_of_its_heights() -> None:
    """On an even ramp of 0.1 a tile width the relief reports that slope, along and across."""
    rows, columns = np.mgrid[0:100, 0:200].astype(np.float32)
    place = (np.array([[0.1]]), np.array([[0.05]]))
    _, along, _ = Relief(columns * 0.001 - 1).at(*place)
    _, _, across = Relief(rows * 0.001 - 1).at(*place)
    assert along[0, 0] == pytest.approx(0.1, rel=1e-3)
    assert across[0, 0] == pytest.approx(-0.1, rel=1e-3)


def test_turned_bodies_are_closed_and_hold_their_volume() -> None:
    """A ball, a rod and a cylinder have the volume that the formulas give, within the error of their facets."""
    cylinder = lathe(np.array([[0, 0], [1, 0], [1, 2], [0, 2]], np.float64), 64)
    rod = capsule(np.zeros(3), np.array([0.0, 3.0, 0.0]), 0.5, steps=16)
    assert _volume(cylinder) == pytest.approx(2 * np.pi, rel=0.01)
    assert _volume(ball((1.0, 2.0, 0.5), 40)) == pytest.approx(4 / 3 * np.pi, rel=0.01)
    assert _volume(rod) == pytest.approx(np.pi * (0.25 * 3 + 4 / 3 * 0.125), rel=0.02)
    for mesh in (cylinder, rod):
        assert (_welded_edges(mesh)[1] == 1).all()


def test_placing_turns_and_moves() -> None:
    """A quarter turn about z takes +x to +y, normals included."""
    mesh = placed(tile_mesh((2.0, 1.0, 0.4), 0.1, 0.02), about_z(np.pi / 2), np.array([5.0, 0, 1]))
    assert np.allclose(mesh.vertices.max(axis=0), [5.5, 1.0, 1.4])
    assert np.allclose(np.linalg.norm(mesh.normals, axis=1), 1)
