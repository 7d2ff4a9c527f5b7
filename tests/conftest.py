"""Fixtures that every test may use: the golden flag, the shared photographs and rules, the shipped demo pictures."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("ci", derandomize=True, deadline=None)
if os.environ.get("CI"):  # a change is judged by the same examples twice; at home new ones are tried
    settings.load_profile("ci")

ROOT = Path(__file__).resolve().parents[1]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--update-golden`: write golden files anew instead of comparing with them."""
    parser.addoption("--update-golden", action="store_true", help="write golden files anew")


@pytest.fixture(scope="session", autouse=True)
def _own_data(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep what commands of the tests keep away from the user's own tables."""
    os.environ["DOMINOTABLE_DATA"] = str(tmp_path_factory.mktemp("data"))


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be written anew."""
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of photographs, rules and vectors beside the checkout; tests that need it are skipped without it."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("the shared photographs and vectors are not beside this checkout")
    return folder


@pytest.fixture(scope="session")
def photos(shared: Path) -> Path:
    """The real labelled photographs."""
    folder = shared / "photos"
    if not folder.is_dir():
        pytest.skip("the real photographs are not beside this checkout")
    return folder


@pytest.fixture(scope="session")
def demo() -> Path:
    """The shipped demo pictures."""
    return ROOT / "datasets" / "demo"
