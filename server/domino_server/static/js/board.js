// The public board of Bingo and Tiu-U: what lies open, how much lies closed, never what nobody has seen.
import { el, nameOf } from "./dom.js";
import { t } from "./i18n.js";
import { backOf, halfOf, tileOf } from "./tiles.js";

/** What an open end counts, where that is not its pips: both halves of a double, nothing at a spinner's side. @param {any} layout @param {any} end */
export function countView(layout, end) {
  return typeof layout.count === "number" && end.count !== end.pips
    ? el("span", { class: "arm", textContent: t("layout.counts", { n: end.count }) }) : null;
}

/** @param {any} state */
export function boardView(state) {
  const board = state.board;
  const rows = [];
  const row = (/** @type {string} */ words, /** @type {any[]} */ ...nodes) =>
    rows.push(el("div", { class: "board-row" }, el("dt", { textContent: words }), el("dd", {}, ...nodes)));
  if (board.trump !== undefined && board.trump !== null) row(t("board.trump"), board.trump_tile ? tileOf(board.trump_tile) : halfOf(Number(board.trump)));
  if (board.lead) row(t("board.lead"), ...leadView(board.lead));
  if (board.talon) row(t("board.talon"), ...(board.talon.length ? board.talon.map(tileOf) : ["–"]));
  if (board.stock !== undefined && board.stock !== null) row(t("board.stock"), backOf(), t("board.tiles", { n: board.stock }));
  if (board.trick?.length) row(t("board.trick"), ...board.trick.map(tileOf));
  if (board.stacks?.length) row(t("board.stacks"), ...board.stacks.map(tileOf));
  if (board.closed) row(t("board.closed"), nameOf(board.closed));
  const points = board.points ?? {};
  const piles = board.piles ?? {};
  for (const player of state.seats ?? []) {
    const parts = [];
    if (typeof board.tricks?.[player] === "number") parts.push(t("board.tricks", { n: board.tricks[player] }));
    if (typeof piles[player] === "number") parts.push(t("board.tiles", { n: piles[player] }));
    if (typeof points[player] === "number") parts.push(t("board.points", { n: points[player] }));
    if (parts.length) rows.push(el("div", { class: "board-row" }, el("dt", {}, nameOf(player)), el("dd", { textContent: parts.join(" · ") })));
  }
  return [el("dl", {}, rows)];
}

/** @param {any} lead */
function leadView(lead) {
  const declared = lead.declared ? [t("move.declares", { n: lead.declared })] : [];
  return [nameOf(lead.player), tileOf(lead.tile), ...declared];
}
