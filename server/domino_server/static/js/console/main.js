// The console: one table, its picture beside its layout, and what a person may put right.
import { Refused, currentToken, dropToken, get, keepAsHouse, tableId, takeToken } from "../api.js";
import { announce, byId, el, fill } from "../dom.js";
import { language, languageSelect, t, tf, useLanguage } from "../i18n.js";
import { Keys } from "../keys.js";
import { showLine } from "../line.js";
import { Table } from "../model.js";
import { newsOf } from "../news.js";
import { canSpeak, say, setSpeech, speaks } from "../speech.js";
import { Actions } from "./actions.js";
import { Calibration } from "./calibration.js";
import { openLinks } from "./links.js";
import { OwnTiles } from "./own_tiles.js";
import { Picture } from "./picture.js";
import { Questions } from "./questions.js";
import { showPlay } from "./play.js";
import { showScore } from "./score.js";
import { openSettings } from "./settings.js";
import { Zones } from "./zones.js";

const id = tableId();
takeToken(`table/${id}`, true);
await useLanguage();
languageSelect(byId("language"));

const table = new Table(id);
const keys = new Keys(() => table.state !== null);
/** What does nothing before the table is known. */
const LATER = ["open-links", "open-settings", "missed", "draw-zones", "calibration", "own-tiles"];
const keeper = await mayKeep();
document.body.dataset.role = table.role = keeper ? "keeper" : "viewer";
const actions = new Actions(table, keys, keeper);
if (keeper) {
  const picture = new Picture(table, keys);
  const zones = new Zones(table, picture, keys);
  const questions = new Questions(table, keys);
  const calibration = new Calibration(table, keys);
  new OwnTiles(table, keys);
  table.listen((state) => {
    calibration.show(state);
    picture.show(state);
    zones.show(state);
    questions.show(state);
  });
  button("open-links", "l", t("links.title"), () => openLinks(table));
  button("open-settings", "s", t("settings.title"), () => openSettings(table));
}
wait(true);
byId("open-judge").href = `/judge/${id}`;
button("open-keys", "?", "", () => keys.sheet());
speechSwitch();
table.listen(showAll);
table.line((up) => {
  if (!up) return;
  document.body.dataset.role = table.role === "admin" ? "keeper" : table.role;
  if (table.role === "admin") keepAsHouse();
});
showLine(table);
if (keeper) table.keep();
else table.watch();

/** @param {any} state @param {any} event */
function showAll(state, event) {
  wait(false);
  document.title = `${state.name ?? ""} · dominotable`;
  fill(byId("name"), el("bdi", { textContent: state.name ?? "" }));
  showChips(state);
  showPlay(table, state);
  showScore(state, keeper && table.role !== "judge" ? (/** @type {any} */ move) => actions.correct(move) : null);
  actions.show(state);
  if (!event) return;
  const told = newsOf(event);
  if (!told) return;
  announce(told, event.event === "illegal" ? "warn" : "calm");
  say(told, event.number ?? null);
}

/** @param {any} state */
function showChips(state) {
  const camera = state.camera ?? {};
  const fps = camera.state === "live" && camera.fps ? ` · ${new Intl.NumberFormat(language(), { maximumFractionDigits: 0 }).format(camera.fps)}/s` : "";
  chip("camera", state.phase === "running" ? camera.state : "stopped",
    state.phase === "running" ? tf("camera", camera.state ?? "none") + fps : tf("phase", state.phase ?? "stopped"), camera.detail ?? camera.label ?? "");
  const settle = state.settle ?? {};
  chip("settle", settle.state, state.phase === "running" && settle.state ? tf("settle", settle.state) : "", settle.text ?? "");
}

/** @param {string} place @param {string} state @param {string} words @param {string} more */
function chip(place, state, words, more) {
  const found = byId(place);
  found.dataset.state = state ?? "";
  if (found.textContent !== words) found.textContent = words;
  found.title = more;
}

/** Find out whether this page may do more than watch. */
async function mayKeep() {
  if (!currentToken()) return false;
  try {
    const state = await get(`${table.path}/state`);
    return "questions" in state;
  } catch (error) {
    if (error instanceof Refused && error.status !== 0) announce(error.message, "warn");
    if (error instanceof Refused && error.status === 401) dropToken(`table/${id}`);
    return error instanceof Refused && error.status === 0;
  }
}

/** @param {string} place @param {string} key @param {string} words @param {() => void} act */
function button(place, key, words, act) {
  byId(place).addEventListener("click", act);
  keys.on(key, words, act);
}

/** @param {boolean} on */
function wait(on) {
  for (const name of LATER) byId(name).disabled = on;
}

function speechSwitch() {
  const place = byId("speech");
  place.hidden = !canSpeak();
  const show = () => place.setAttribute("aria-pressed", String(speaks()));
  const turn = () => {
    setSpeech(!speaks());
    show();
  };
  place.addEventListener("click", turn);
  keys.on("v", t("speech.help"), turn);
  show();
}
