"""The console over a canned table: what is shown, and what a person may put right by hand and by keyboard."""

import itertools
import re

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser import canned
from tests.browser.conftest import Shown

pytestmark = pytest.mark.browser


def test_console_shows_picture_layout_score_and_moves(shown: Shown) -> None:
    """Boxes lie over the picture in its own pixels, beside layout, count, totals and the hand's moves."""
    page = shown.open("/table/t")
    expect(page.locator("#boxes .box")).to_have_count(14)
    expect(page.locator("#count")).to_have_text("18")
    expect(page.locator(".side-row .points")).to_have_text(["85", "60"])
    expect(page.locator(".side-row.turn")).to_contain_text("Мира")
    expect(page.locator("#log li")).to_have_count(11)
    expect(page.locator("#layout")).to_have_attribute("alt", re.compile("0-0"))
    assert "token" not in page.url
    picture, boxes = page.locator("#picture").bounding_box(), page.locator("#boxes").bounding_box()
    assert picture is not None
    assert boxes is not None
    assert abs(picture["width"] - boxes["width"]) < 2
    assert abs(picture["height"] - boxes["height"]) < 2


def test_every_tile_is_tapped_in_its_middle(shown: Shown) -> None:
    """Numbers, joins and the marks of open ends that are drawn over a tile do not stand between it and a tap."""
    seen = shown.table.private["observation"]
    end = {"arm": "R", "pips": 5, "count": 5, "out": [0, 0]}
    ends = [{**end, "at": np.mean(tile["quad"], axis=0).tolist()} for tile in seen["tiles"]]
    shown.table.change_private(observation={**seen, "ends": ends})
    page = shown.open("/table/t")
    expect(page.locator("#boxes .box")).to_have_count(14)
    expect(page.locator("#boxes .end")).to_have_count(14)
    hidden = page.locator("#boxes .box").evaluate_all(
        "boxes => boxes.filter(box => { const at = box.getBoundingClientRect();"
        " return document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2) !== box; })"
        ".map(box => box.getAttribute('aria-label'))"
    )
    assert hidden == []


def test_marks_and_names_cover_no_pip(shown: Shown) -> None:
    """The numbers of open ends stand beside their tiles and the names of tiles where none lies: nothing is covered."""
    page = shown.open("/table/t")
    expect(page.locator("#boxes .end")).to_have_count(4)
    expect(page.locator("#boxes > text")).to_have_count(14)
    covered = page.locator("#boxes").evaluate(
        """boxes => {
          const grid = ({x, y, width, height}) => [.05, .3, .5, .7, .95].flatMap(
            right => [.2, .5, .8].map(down => new DOMPoint(x + right * width, y + down * height)));
          const discs = [...boxes.querySelectorAll(".end circle")];
          const names = [...boxes.querySelectorAll(":scope > text")];
          const tiles = [...boxes.querySelectorAll(".box")];
          return [...discs, ...names].flatMap((mark, n) => {
            const [own, points] = [mark.getBBox(), grid(mark.getBBox())];
            const under = [...tiles.filter(tile => points.some(at => tile.isPointInFill(at)))];
            const beside = [...discs, ...names].slice(n + 1).filter(other => {
              const b = other.getBBox();
              return grid(b).some(at => at.x > own.x && at.x < own.x + own.width
                && at.y > own.y + .2 * own.height && at.y < own.y + .8 * own.height);
            });
            return [...under, ...beside].map(other => `${mark.textContent}: ${other.ariaLabel ?? other.textContent}`);
          });
        }"""
    )
    assert covered == []


def test_question_is_answered_with_one_key(shown: Shown) -> None:
    """A question shows its crops, odds and what each answer changes; a digit answers it and it goes away."""
    page = shown.open("/table/t")
    shown.table.change_private(questions=[canned.question()])
    expect(page.locator(".crop")).to_have_count(2)
    first = page.locator(".choice").first
    expect(first).to_contain_text("72%")
    expect(first).to_contain_text("20 points")
    page.keyboard.press("1")
    shown.told({"op": "answer", "code": "misread_or_illegal", "key": "as:5-1"})
    shown.table.change_private(questions=[])
    expect(page.locator("#ask")).to_be_hidden()


def test_question_about_the_picture_names_what_is_in_doubt(shown: Shown) -> None:
    """Each doubt stands there with its tiles."""
    page = shown.open("/table/t")
    doubts = [
        {"tiles": ["6-4", "4-1"], "text": "Are these two tiles joined, or do they only lie close together?"},
        {"tiles": ["?"], "text": "A tile that shows no face lies at the chain."},
    ]
    about = {"code": "look_unsure", "text": "look unsure", "doubts": doubts, "tiles": [], "crops": 0, "choices": []}
    shown.table.change_private(questions=[about])
    items = page.locator(".question .doubts li")
    expect(items).to_have_text([re.compile("joined"), re.compile(r"^\? A tile that shows no face")])
    expect(items.first.locator("svg")).to_have_count(2)
    expect(page.locator(".question")).not_to_contain_text("look unsure")


def test_an_offence_stands_once_under_to_look_at(shown: Shown) -> None:
    """What everybody is told and what the judge is told of the same tile is one entry; another tile is another."""
    page = shown.open("/table/t")
    text = "Laid beside the line: that place is not open."
    row = {"code": "arm_closed", "player": "Ana", "text": text, "at": None}
    shown.table.change(alerts=[{**row, "tile": "6-4"}, {**row, "tile": "5-2"}])
    expect(page.locator(".alerts li")).to_have_count(2)
    told = {"key": "1", "kind": "wrong_end", "code": "arm_closed", "player": "Ana", "tiles": ["6-4"], "text": text}
    shown.table.change_private(suspicions=[{**told, "title": "Wrong end", "hand": 3, "move": None, "odds": None}])
    expect(page.locator(".alerts li")).to_have_text([re.compile("Wrong end"), re.compile("Ana.*beside the line")])


def test_half_join_and_phantom_are_put_right_on_the_picture(shown: Shown) -> None:
    """By keyboard a tile gets another half; one is joined otherwise, and a box that is no tile is said to be none."""
    page = shown.open("/table/t")
    page.locator("[data-index='3']").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("6-4")
    page.get_by_role("group", name="Lower half").get_by_role("radio", name="3").check()
    page.get_by_role("button", name="Save").click()
    shown.told({"op": "half", "half": 1, "pips": 3, "tile": 3})
    page.locator("[data-index='11']").click()
    page.get_by_label("Joined to").select_option("4-0")
    page.get_by_role("button", name="Save").click()
    shown.told({"op": "join", "tiles": [11, 8]})
    page.locator("[data-index='12']").click()
    page.get_by_role("button", name="This is no tile").click()
    shown.told({"op": "phantom", "tile": 12})


def test_names_of_small_tiles_do_not_run_into_each_other(shown: Shown) -> None:
    """A line of tiles of 40 pixels in a wide picture, a double crosswise in it: every name stands by itself."""
    line = [(0, 40, 20, "6-4"), (42, 20, 40, "4-4"), (64, 40, 20, "4-1"), (106, 40, 20, "1-0"), (148, 20, 40, "0-0")]
    tiles = [
        {"index": n, "tile": name, "halves": list(map(int, name.split("-"))), "role": "chain", "confidence": 0.99,
         "quad": [[500 + x, 400], [500 + x + w, 400], [500 + x + w, 400 + h], [500 + x, 400 + h]]}
        for n, (x, w, h, name) in enumerate(line)
    ]  # fmt: skip
    seen = {"size": [1920, 1080], "tiles": tiles, "joins": [], "ends": [], "problems": [], "believed": True}
    page = shown.open("/table/t")
    shown.table.change_private(observation=seen)
    names = page.locator("#boxes > text")
    expect(names).to_have_text([name for _, _, _, name in line])
    boxes = names.evaluate_all("texts => texts.map(text => { const b = text.getBBox(); return [b.x, b.x + b.width]; })")
    assert all(left[1] <= right[0] for left, right in itertools.pairwise(boxes)), boxes


def test_missed_tile_is_added_by_keyboard_alone(shown: Shown) -> None:
    """M, two digits, arrow keys and Enter say which tile lies where."""
    page = shown.open("/table/t")
    expect(page.locator("#boxes .box").first).to_be_visible()
    page.keyboard.press("m")
    expect(page.locator(".pick").first).to_be_focused()
    page.keyboard.press("5")
    page.keyboard.press("2")
    expect(page.locator("#tool-hint")).to_contain_text("5-2")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    command = shown.told(lambda told: told["op"] == "missed")
    assert command["tile"] == "5-2"
    assert command["at"] == pytest.approx([640 + 5 * 0.02 * 1280, 480], abs=2)


def test_moves_are_told_corrected_and_undone(shown: Shown) -> None:
    """Pass and undo are one key each; a move of the log is corrected with another tile, or removed."""
    page = shown.open("/table/t")
    expect(page.locator("#log li")).to_have_count(11)
    page.keyboard.press("p")
    shown.told({"op": "pass", "player": "Мира"})
    page.keyboard.press("Control+z")
    shown.told({"op": "undo"})
    page.locator("#log .entry").first.click()
    page.get_by_role("button", name="Tile: 3-1").click()
    page.get_by_role("button", name="5-1", exact=True).click()
    page.get_by_role("button", name="Save").click()
    shown.told({"op": "correct", "number": 11, "text": '"Łukasz" 5-1 D', "insert": False})
    page.locator("#log .entry").nth(1).click()
    page.get_by_role("button", name="Was not played").click()
    shown.told({"op": "correct", "number": 10, "text": None, "insert": False})


def test_zone_is_drawn_on_the_picture(shown: Shown) -> None:
    """Three taps and Done make a zone in pixels of the picture, kept beside those that were there."""
    page = shown.open("/table/t")
    expect(page.locator("#boxes .box").first).to_be_visible()
    page.keyboard.press("z")
    page.get_by_role("button", name="Boneyard: Draw").click()
    for x, y in ((40, 40), (120, 40), (120, 120)):
        page.locator("#boxes").click(position={"x": x, "y": y})
    page.get_by_role("button", name="Done").click()
    command = shown.told(lambda told: told["op"] == "zones")
    assert [zone["name"] for zone in command["zones"]] == ["hand-0", "stock"]
    scale = 1280 / _width(shown)
    assert command["zones"][1]["polygon"][0] == pytest.approx([40 * scale, 40 * scale], abs=4)


def test_zone_is_drawn_by_keyboard_alone(shown: Shown) -> None:
    """Arrow keys and Enter set each corner, Escape ends the drawing; with fewer than three corners nothing is kept."""
    page = shown.open("/table/t")
    expect(page.locator("#boxes .box").first).to_be_visible()
    for corners in (2, 3):
        page.keyboard.press("z")
        page.get_by_role("button", name="Boneyard: Draw").press("Enter")
        expect(page.locator("#boxes .pointer")).to_be_focused()
        for key in ("ArrowLeft", "ArrowUp", "ArrowRight")[:corners]:
            for _ in range(4):
                page.keyboard.press(key)
            page.keyboard.press("Enter")
        page.keyboard.press("Escape")
        expect(page.locator("#tool-hint")).to_be_empty()
        if corners == 2:
            expect(page.locator("#says")).not_to_be_empty()
            assert shown.table.commands == []
    step = 0.02 * 1280 * 4
    drawn = shown.told(lambda told: told["op"] == "zones")["zones"][1]["polygon"]
    at = [640 - step, 480]
    wanted = [at, [at[0], at[1] - step], [at[0] + step, at[1] - step]]
    assert np.allclose(drawn, wanted, atol=2), drawn


def test_refused_command_is_said_in_words(shown: Shown) -> None:
    """What the table refuses is shown in the language of the page; nothing else changes."""
    page = shown.open("/table/t")
    expect(page.locator("#log li")).to_have_count(11)
    shown.table.refuse = {"status": 409, "code": "nothing_to_undo", "detail": "nothing", "title": "", "params": {}}
    page.keyboard.press("u")
    expect(page.locator("#says")).to_have_text("There is nothing to undo.")


def test_hands_are_counted_and_told(shown: Shown) -> None:
    """Tiles tapped in for a seat are summed and told to the table."""
    page = shown.open("/table/t")
    expect(page.locator("#log li")).to_have_count(11)
    page.keyboard.press("h")
    row = page.locator(".hand-row").first
    row.get_by_role("button", name="Add a tile").click()
    page.get_by_role("button", name="6-5", exact=True).click()
    expect(row.locator(".pips")).to_have_text("11 pips")
    page.get_by_role("button", name="Take these hands").click()
    shown.told({"op": "shown", "player": "Ana", "tiles": ["6-5"]})


def test_torn_connection_is_said_and_comes_back(shown: Shown) -> None:
    """While the server is gone the page says so; when it is back it shows what has changed since."""
    page = shown.open("/table/t")
    expect(page.locator(".side-row .points")).to_have_text(["85", "60"])
    shown.table.down = True
    expect(page.locator("#line")).to_contain_text("lost")
    shown.table.change(totals={"Ana+Łukasz": 100, "Đorđe+Мира": 60})
    shown.table.down = False
    expect(page.locator(".side-row .points")).to_have_text(["100", "60"])
    expect(page.locator("#line")).not_to_contain_text("lost")


def test_nothing_can_be_told_before_the_table_is_known(shown: Shown) -> None:
    """While the server has not answered yet, buttons and keys do nothing, and go wrong in nothing; then they work."""
    mistakes: list[str] = []
    shown.page.on("pageerror", lambda error: mistakes.append(str(error)))
    shown.page.add_init_script("window.held = []; const Real = WebSocket; window.WebSocket = class extends Real {"
        " constructor(...all) { super(...all); this.hold = new Promise(go => window.held.push(go)); }"
        " set onmessage(hear) { super.onmessage = async event => { await this.hold; hear(event); }; }"
        " addEventListener(kind, hear, ...more) { super.addEventListener(kind, kind !== 'message' ? hear :"
        " async event => { await this.hold; hear.call(this, event); }, ...more); } };")  # fmt: skip
    page = shown.open("/table/t")
    links = page.get_by_role("button", name="Links")
    expect(links).to_be_disabled()
    for key in ("l", "s", "h", "z", "m", "i", "t", "u", "p"):
        page.keyboard.press(key)
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.evaluate("window.held.forEach(go => go())")
    expect(page.locator("#log li")).to_have_count(11)
    links.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert (mistakes, shown.table.commands) == ([], [])


def test_voice_is_off_until_wanted_and_says_only_what_holds(shown: Shown) -> None:
    """Nothing is said until V; then a move that is corrected at once is said as it holds, once."""
    shown.page.add_init_script(
        "window.said = []; SpeechSynthesis.prototype.speak = (line) => window.said.push(line.text)"
    )
    page = shown.open("/table/t")
    expect(page.locator("#log li")).to_have_count(11)
    shown.table.emit("move", hand=3, number=11, player="Мира", text="Мира 6-5 U", known="seen", points=0)
    expect(page.locator("#says")).to_have_text("Мира: 6-5 up")
    page.keyboard.press("v")
    shown.table.emit("move", hand=3, number=12, player="Ana", text="Ana 6-6 U", known="seen", points=10)
    shown.table.emit("correction", hand=3, number=12, before="Ana 6-6 U", after="Ana 6-4 U")
    expect(page.locator("#says")).to_contain_text("Corrected")
    page.wait_for_timeout(2000)
    assert page.evaluate("window.said") == ["Corrected: Ana: 6-4 up (not Ana: 6-6 up)"]


def test_every_control_is_reached_by_tab(shown: Shown) -> None:
    """Tab walks from the first control to the last through everything that can be used, and leaves at the end."""
    page = shown.open("/table/t")
    expect(page.locator("#log li")).to_have_count(11)
    expect(page.locator("#boxes .box")).to_have_count(14)
    wanted = page.locator(":is(button, select, a, summary, [tabindex='0']):visible:not(:disabled)").count()
    seen = set()
    for _ in range(wanted + 3):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("[...document.querySelectorAll('*')].indexOf(document.activeElement)"))
    assert len(seen) >= wanted, "Tab does not reach every control"


def test_who_only_watches_sees_no_picture_and_no_controls(shown: Shown) -> None:
    """Without a token the page is a scoreboard: no picture, no question, nothing to press."""
    shown.table.change_private(questions=[canned.question()])
    page = shown.open("/table/t", token=False)
    expect(page.locator(".side-row .points")).to_have_text(["85", "60"])
    assert page.locator(".keeper:visible").count() == 0
    assert page.locator("#log button").count() == 0


def _width(shown: Shown) -> float:
    box = shown.page.locator("#boxes").bounding_box()
    assert box is not None
    return float(box["width"])
