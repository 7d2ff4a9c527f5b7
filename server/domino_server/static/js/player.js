// A player's own page: the hand tapped in or photographed, and what may be played with what it would score.
import { Refused, send, tableId, takeToken } from "./api.js";
import { byId, el, fill } from "./dom.js";
import { languageSelect, t, tf, useLanguage } from "./i18n.js";
import { showLine } from "./line.js";
import { Table } from "./model.js";
import { moveView } from "./moves.js";
import { playerOf } from "./news.js";
import { tileGrid } from "./pick_tile.js";
import { whenChosen } from "./pictures.js";
import { tileOf } from "./tiles.js";

const id = tableId();
const STORED = `hand:${id}`;
takeToken(`player/${id}`);
await useLanguage();
languageSelect(byId("language"));
document.title = `${t("player.title")} · dominotable`;

const table = new Table(id);
let hand = /** @type {string[]} */ (JSON.parse(sessionStorage.getItem(STORED) ?? "[]"));
let set = "";
let number = 0;
let key = "";

table.listen((state) => {
  if ((state.set ?? "double-six") !== set) {
    set = state.set ?? "double-six";
    showGrid();
  }
  if (number && state.hand > number) setHand([]); // a new hand was dealt
  number = state.hand ?? number;
  byId("turn").textContent = state.to_move ? t("player.turn", { player: state.to_move }) : "";
  const now = `${state.hand} ${state.moves?.length} ${state.to_move} ${state.layout?.text ?? JSON.stringify(state.board)}`;
  if (now !== key) advise();
  key = now;
});
showLine(table);
table.watch();

byId("clear").addEventListener("click", () => { setHand([]); advise(); });
byId("hide").addEventListener("click", () => cover(true));
byId("cover").addEventListener("click", () => cover(false));
whenChosen(byId("file"), async ([picture]) => {
  const form = new FormData();
  form.append("picture", picture);
  say(t("count.reading"));
  await ask(form);
});

function showGrid() {
  fill(byId("grid"), tileGrid(set, (tile, pressed) => {
    hand = pressed ? [...new Set([...hand, tile])] : hand.filter((other) => other !== tile);
    sessionStorage.setItem(STORED, JSON.stringify(hand));
    advise();
  }, { chosen: hand, multiple: true }));
}

/** @param {string[]} tiles */
function setHand(tiles) {
  hand = tiles;
  sessionStorage.setItem(STORED, JSON.stringify(hand));
  showGrid();
}

let waiting = 0;
/** Ask soon for what may be played: tapping in a whole hand is one question. */
function advise() {
  clearTimeout(waiting);
  waiting = setTimeout(() => (hand.length ? ask({ hand }) : showPlays(null)), 250);
}

/** @param {any} body */
async function ask(body) {
  try {
    const advice = await send(`${table.path}/advice`, body);
    if (body instanceof FormData) setHand(advice.hand);
    say("");
    showPlays(advice);
  } catch (error) {
    say(/** @type {Refused} */ (error).message);
    showPlays(null);
  }
}

/** @param {any} advice */
function showPlays(advice) {
  const plays = advice?.plays ?? [];
  if (!advice) fill(byId("plays"), el("li", { class: "soft", textContent: hand.length ? "–" : t("player.no_hand") }));
  else if (!plays.length) fill(byId("plays"), el("li", { textContent: advice.must_draw ? t("player.draw") : t("player.pass") }));
  else fill(byId("plays"), ...plays.map(playRow));
}

/** @param {any} play */
function playRow(play) {
  const what = play.arm ? [tileOf(play.tile), el("span", { class: "arm", textContent: tf("arm", play.arm) })]
    : moveView(play.text, playerOf(play.text));
  return el("li", { class: play.points ? "scores" : "" }, el("span", { class: "did" }, what),
    play.points ? el("strong", { class: "gain", textContent: t("board.points", { n: play.points }) })
      : typeof play.count === "number" ? el("span", { class: "soft", textContent: t("player.count", { n: play.count }) }) : null);
}

/** @param {boolean} on */
function cover(on) {
  byId("cover").hidden = !on;
  byId("private").hidden = on;
  byId("hide").hidden = on;
  (on ? byId("cover") : byId("hide")).focus();
}

/** @param {string} text */
function say(text) {
  byId("said").textContent = text;
  byId("said").hidden = !text;
}
