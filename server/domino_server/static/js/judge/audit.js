// The hand looked at again: every pass, what was against the rules, and which reading would have changed the result.
import { get } from "../api.js";
import { byId, el, fill, nameOf } from "../dom.js";
import { language, t, tf } from "../i18n.js";
import { tileOf } from "../tiles.js";
import { percent } from "./about.js";

/** @param {string} path of the table @param {number} hand @param {(move: number) => void} jump */
export async function showAudit(path, hand, jump) {
  const place = byId("audit-found");
  try {
    const found = await get(`${path}/judge/hands/${hand}/audit?lang=${language()}`);
    fill(place, ...bodyOf(found, jump));
  } catch (error) {
    place.textContent = /** @type {Error} */ (error).message;
  }
}

/** @param {any} found @param {(move: number) => void} jump */
function bodyOf(found, jump) {
  const to = (/** @type {number | null} */ move) => move && el("button", { type: "button", class: "quiet to-move", textContent: t("judge.move", { number: move }), onclick: () => jump(move) });
  return [
    ...list(t("audit.passes"), found.passes, (/** @type {any} */ row) => [to(row.move), nameOf(row.player), ` ${row.words || tf("verdict", row.verdict)} `, row.tiles.map(tileOf)]),
    ...list(t("audit.findings"), found.findings, (/** @type {any} */ row) => [to(row.move), `${row.text} (${row.certainty}) `, el("small", { textContent: row.rule })]),
    ...list(t("audit.otherwise"), found.otherwise, (/** @type {any} */ row) => [to(row.move), `${row.instead}: ${row.text} `, el("small", { textContent: percent(row.probability) })]),
  ];
}

/** @param {string} title @param {any[]} rows @param {(row: any) => any[]} view */
function list(title, rows, view) {
  return [el("h3", { textContent: title }), rows.length
    ? el("ul", { class: "audit-list" }, rows.map((row) => el("li", {}, view(row))))
    : el("p", { class: "soft", textContent: t("audit.nothing") })];
}
