// The judge's page: a hand as a row of pictures, two of them compared, what the rules say of it, and the ruling.
import { currentToken, get, tableId, takeToken } from "../api.js";
import { announce, byId, el, fill, nameOf } from "../dom.js";
import { tried } from "../dialogs.js";
import { language, languageSelect, t, tf, useLanguage } from "../i18n.js";
import { Keys } from "../keys.js";
import { showLine } from "../line.js";
import { Table } from "../model.js";
import { scoreView } from "../console/score.js";
import { alertBody, showAbout, totalsOf } from "./about.js";
import { showAudit } from "./audit.js";
import { Compare } from "./compare.js";
import { Decide } from "./decide.js";
import { keptText, save } from "./evidence.js";
import { Live } from "./live.js";
import { Strip } from "./strip.js";

const SETTLE_MS = 150;
const id = tableId();
if (!takeToken(`judge/${id}`)) takeToken(`table/${id}`, true);
await useLanguage();
languageSelect(byId("language"));

const table = new Table(id);
const keys = new Keys();
const compare = new Compare(table.path);
const strip = new Strip(table.path, chosen);
const decide = new Decide(table, () => hand);
const live = new Live(table);
let hand = /** @type {any} */ (null);
let wanted = 0; // the hand that was picked; 0 follows the newest
let loaded = "";
let due = /** @type {any} */ (0);

byId("console").href = `/table/${id}`;
byId("locked").hidden = Boolean(currentToken());
byId("hand").addEventListener("change", () => {
  wanted = Number(byId("hand").value) === table.state?.hand ? 0 : Number(byId("hand").value);
  load();
});
byId("report").addEventListener("click", () => busily(byId("report"), () => save(`${table.path}/judge/report?lang=${language()}`, `dominotable-${id}.html`)));
byId("export").addEventListener("click", () => busily(byId("export"), () => save(`${table.path}/export`, `dominotable-${id}.zip`)));
byId("audit").addEventListener("toggle", () => { if (byId("audit").open && hand) showAudit(table.path, hand.hand, (move) => strip.toMove(move)); });
bindKeys();
showLine(table);
table.line((up) => { if (up) document.body.dataset.role = table.role === "admin" ? "keeper" : table.role; });
table.listen((state, event) => {
  document.title = `${state.name ?? ""} · ${t("judge.title")}`;
  fill(byId("name"), el("bdi", { textContent: state.name ?? "" }));
  fill(byId("score"), ...scoreView(state));
  decide.show(state, hand);
  live.show(state);
  showKept(state.kept);
  showNow();
  const seen = JSON.stringify([state.hand, state.moves?.length, state.kept?.size, (state.suspicions ?? []).map((/** @type {any} */ each) => each.key)]);
  if (event || seen !== loaded) soon(seen);
});
if (currentToken()) table.keep();

/** Load the hand again shortly, once for all that just happened. @param {string} seen */
function soon(seen) {
  loaded = seen;
  clearTimeout(due);
  due = setTimeout(load, SETTLE_MS);
}

async function load() {
  const number = wanted || table.state?.hand;
  byId("desk").hidden = !number;
  byId("no-entries").hidden = Boolean(number);
  if (!number) return;
  const before = hand?.hand;
  const found = await tried(() => get(`${table.path}/judge/hands/${number}?lang=${language()}`));
  if (!found) return;
  hand = found;
  if (before !== hand.hand) strip.current = null;
  fill(byId("hand"), ...hand.hands.map((/** @type {number} */ n) => new Option(String(n), String(n), false, n === hand.hand)));
  byId("hand").value = String(hand.hand);
  compare.offer(hand.entries);
  decide.show(table.state, hand);
  strip.show(hand.entries, hand.moves);
  showNow();
  showRulings();
  if (byId("audit").open) showAudit(table.path, hand.hand, (move) => strip.toMove(move));
}

/** @param {any} entry */
function chosen(entry) {
  showAbout(table.path, entry, hand, openAlerts().some((/** @type {any} */ each) => each.key === entry.alert?.key));
  compare.show(entry);
  compare.layouts(hand.hand, entry, hand.entries, hand.moves.map((/** @type {any} */ move) => move.text).join());
  decide.about(entry);
}

/** The alerts that hold and that nobody ruled on. @returns {any[]} */
function openAlerts() {
  const ruled = new Set((hand?.entries ?? []).map((/** @type {any} */ entry) => entry.ruling?.alert).filter(Boolean));
  return (table.state?.suspicions ?? []).filter((/** @type {any} */ each) => !ruled.has(each.key));
}

/** How much is kept of the table's pictures. @param {any} kept */
function showKept(kept) {
  byId("kept").hidden = !kept;
  if (kept) byId("kept").textContent = keptText(kept);
}

/** What may be against the rules now, with what it would change. */
function showNow() {
  const place = byId("now");
  const open = openAlerts();
  place.hidden = !open.length;
  fill(place, open.length > 0 && el("h2", { textContent: t("judge.now") }), ...open.map(nowCard));
}

/** @param {any} suspicion in the table's language; the hand has it in that of the page */
function nowCard(suspicion) {
  const entry = hand?.entries.findLast((/** @type {any} */ each) => each.alert?.key === suspicion.key);
  const alert = entry?.alert ?? suspicion;
  return el("article", { class: "now-card", data: { key: suspicion.key } },
    el("div", { class: "now-what" }, el("h3", {}, alert.title, alert.player && " · ", alert.player && nameOf(alert.player)),
      el("p", { textContent: alert.text }), el("p", { class: "row" },
      el("button", { type: "button", disabled: !entry, textContent: t("judge.look"), onclick: () => strip.toAlert(suspicion.key) }),
      el("button", { type: "button", class: "judge-only main", textContent: t("judge.decide"), onclick: () => { strip.toAlert(suspicion.key); decide.focus(); } }))), alertBody(alert));
}

function showRulings() {
  const rulings = hand.entries.filter((/** @type {any} */ entry) => entry.ruling);
  byId("rulings").hidden = !rulings.length;
  fill(byId("rulings"), el("h2", { textContent: t("judge.rulings") }), el("ul", {}, rulings.map((/** @type {any} */ entry) => el("li", {},
    el("strong", { textContent: tf("ruling", entry.ruling.kind) }), ` ${entry.ruling.reason} (${entry.ruling.by}) `,
    totalsOf(entry.ruling.before), " → ", totalsOf(entry.ruling.after)))));
}

function bindKeys() {
  keys.on("ArrowLeft", t("judge.key_before"), () => strip.step(-1));
  keys.on("ArrowRight", t("judge.key_after"), () => strip.step(1));
  keys.on("s", t("judge.swipe"), () => byId("swipe").focus());
  keys.on("k", t("ruling.title"), () => { if (table.role === "judge") decide.focus(); });
  keys.on("j", t("judge.jump"), () => byId("jump").focus());
  keys.on("f", t("judge.filter"), () => byId("filter").focus());
  keys.on("?", "", () => keys.sheet());
  byId("open-keys").addEventListener("click", () => keys.sheet());
}

/** @param {any} button @param {() => Promise<any>} work */
async function busily(button, work) {
  button.disabled = true;
  announce(t("judge.writing"));
  await tried(work);
  button.disabled = false;
}
