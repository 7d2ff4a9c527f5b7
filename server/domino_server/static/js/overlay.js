// The overlay for streams: scores, layout, open ends and what happened; later than the table by as much as is wished.
// It follows the public channel alone and holds no token, so that no hand and no advice can ever be in it.
import { tableId } from "./api.js";
import { boardView, countView } from "./board.js";
import { byId, el, fill, nameOf } from "./dom.js";
import { findLanguage, language, t, tf, useLanguage } from "./i18n.js";
import { Table } from "./model.js";
import { moveView } from "./moves.js";
import { newsOf } from "./news.js";
import { pointsOf } from "./console/score.js";
import { halfOf } from "./tiles.js";
import { showBlob } from "./pictures.js";
import { THEMES, partsOf, themeOf } from "./themes.js";

const NEWS_MS = 7000;

const wishes = new URLSearchParams(location.search);
const theme = themeOf(wishes.get("theme"));
const shown = partsOf(wishes.get("show") ?? THEMES[theme]);
document.body.dataset.theme = theme;
if (wishes.has("theme") && wishes.get("theme") !== theme) console.warn(`no theme ${wishes.get("theme")}: ${theme} is shown; there are ${Object.keys(THEMES).join(", ")}`);

/** Fit the stage of 1920 by 1080 into whatever window shows it; in OBS the two are the same. */
function fit() {
  const scale = Math.min(innerWidth / 1920, innerHeight / 1080);
  document.body.style.transform = scale === 1 ? "" : `scale(${scale})`;
}
addEventListener("resize", fit);
fit();

const table = new Table(tableId());
const news = new Set();
let ready = Promise.resolve();
let spoken = "";

table.listen((state, event) => {
  const delay = 1000 * Number(wishes.get("delay") ?? state.delay_s ?? 0) || 0;
  const drawn = event ? null : picture(state); // asked for now, shown later: what it shows then is as old as the rest
  ready = ready.then(() => speak(state.language));
  setTimeout(async () => {
    await ready;
    if (event) tell(event);
    else await show(state, await drawn);
  }, delay);
});
table.watch();

/** Load the words: those wished for, else the table's. @param {string} of the table's language */
async function speak(of) {
  const wanted = findLanguage(wishes.get("lang")) ?? findLanguage(of) ?? "en";
  if (wanted === spoken) return;
  spoken = wanted;
  await useLanguage(wanted);
}

let asked = "";
let last = /** @type {Promise<Blob | null>} */ (Promise.resolve(null));
/** The layout's picture as it is now; asked for once for each layout. @param {any} state */
function picture(state) {
  const key = `${state.hand} ${state.layout?.text ?? ""}`;
  if (!shown.has("layout") || key === asked) return last;
  asked = key;
  if (!state.layout?.text) last = Promise.resolve(null);
  else last = fetch(`/api/v1${table.path}/layout.svg`, { cache: "no-store" }).then((answer) => (answer.ok ? answer.blob() : null), () => null);
  return last;
}

let drawnBlob = /** @type {Blob | null} */ (null);
/** @param {any} state @param {Blob | null} blob */
async function show(state, blob) {
  show_(byId("plates"), "score", plates(state));
  show_(byId("last"), "last", lastMove(state));
  show_(byId("ends"), "ends", ends(state));
  byId("table").hidden = !shown.has("layout") || !(state.layout?.text || state.board);
  fill(byId("board"), ...(shown.has("layout") && state.board ? boardView(state) : []));
  const image = byId("layout");
  image.hidden = !blob || !state.layout?.text;
  if (blob && blob !== drawnBlob) {
    drawnBlob = blob;
    showBlob(image, blob);
    image.alt = t("layout.alt", { text: state.layout.text });
  }
}

/** @param {any} place @param {string} name @param {any[]} content */
function show_(place, name, content) {
  place.hidden = !shown.has(name) || content.length === 0;
  if (!place.hidden) fill(place, ...content);
}

/** @param {any} state */
function plates(state) {
  const sides = Object.entries(state.sides ?? {});
  const rows = sides.map(([side, players]) => el("li", { class: /** @type {any} */ (players).includes(state.to_move) ? "turn" : "", ...(side === state.winner ? { data: { winner: "1" } } : {}) },
    el("span", { class: "names" }, /** @type {any} */ (players).map((/** @type {string} */ player) => el("span", { class: player === state.to_move ? "now" : "" }, nameOf(player)))),
    el("strong", { textContent: new Intl.NumberFormat(language()).format(state.totals?.[side] ?? 0) })));
  const hand = shown.has("hand") && theme !== "minimal" && state.hand
    ? el("p", { class: "hand", textContent: t("score.hand", { number: state.hand }) + (state.target ? ` · ${t("score.target", { n: state.target })}` : "") }) : null;
  return rows.length ? [hand, el("ul", {}, rows)].filter(Boolean) : [];
}

/** @param {any} state */
function lastMove(state) {
  const move = (state.moves ?? []).at(-1);
  if (!move || state.winner) return state.winner ? [el("p", { class: "winner", textContent: t("score.winner", { side: state.winner }) })] : [];
  return [nameOf(move.player), el("span", { class: "did" }, moveView(move.text, move.player)),
    ...(pointsOf(move) ? [el("strong", { class: "gain", textContent: `+${pointsOf(move)}` })] : [])];
}

/** @param {any} state */
function ends(state) {
  const layout = state.layout;
  if (!layout?.ends?.length) return [];
  const count = typeof layout.count === "number" ? [el("p", { class: "count" }, t("layout.count"), el("strong", { textContent: layout.count }))] : [];
  return [...count, el("ul", {}, layout.ends.map((/** @type {any} */ end) => el("li", { title: tf("arm", end.arm) }, halfOf(end.pips), countView(layout, end))))];
}

let timer = 0;
/** Say what everybody should notice, each thing once, though the line be torn and the event come again. @param {any} event */
function tell(event) {
  if (!["correction", "hand_end", "match_end", "illegal"].includes(event.event) || news.has(event.seq)) return;
  news.add(event.seq);
  if (!shown.has("news")) return;
  const place = byId("news");
  place.dataset.kind = event.event;
  fill(place, el("p", { textContent: newsOf(event) }));
  place.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => { place.hidden = true; }, NEWS_MS);
}
