// Scoreboard, moves of the hand, hands of the match.
import { byId, el, fill, nameOf } from "../dom.js";
import { language, t, tf } from "../i18n.js";
import { moveView } from "../moves.js";

/** @param {any} state @param {((move: any) => void) | null} correct */
export function showScore(state, correct) {
  fill(byId("score"), ...scoreView(state));
  fill(byId("log"), ...(state.moves ?? []).toReversed().map((/** @type {any} */ move) => moveRow(move, correct)));
  fill(byId("hands"), handsView(state));
  byId("hands-box").hidden = !(state.hands ?? []).length;
  fill(byId("alerts"), alertsView(state));
}

/** The sides with their totals. @param {any} state */
export function scoreView(state) {
  const totals = state.totals ?? {};
  const sides = Object.entries(state.sides ?? {});
  const best = Math.max(0, ...Object.values(totals).map(Number));
  return [
    el("p", { class: "soft hand", textContent: state.hand ? t("score.hand", { number: state.hand }) : t("score.before") },
      state.target ? el("span", { textContent: ` · ${t("score.target", { n: state.target })}` }) : null),
    el("ul", { class: "sides" }, sides.map(([side, players]) => sideRow(state, side, players, best))),
    state.winner && el("p", { class: "winner" }, t("score.winner", { side: state.winner })),
  ].filter(Boolean);
}

/** @param {any} state @param {string} side @param {any} players @param {number} best */
function sideRow(state, side, players, best) {
  const points = Number(state.totals?.[side] ?? 0);
  const turn = players.includes(state.to_move);
  const bar = el("span", { class: "bar", "aria-hidden": "true" });
  bar.style.inlineSize = `${Math.max(0, Math.min(100, (100 * points) / (state.target || best || 1)))}%`;
  const names = players.map((/** @type {string} */ player) => el("span", { class: player === state.to_move ? "player now" : "player" }, nameOf(player)));
  return el("li", { class: turn ? "side-row turn" : "side-row", ...(side === state.winner ? { data: { winner: "1" } } : {}) },
    el("span", { class: "names" }, names, turn && el("span", { class: "turn-mark", textContent: t("score.turn") })),
    el("strong", { class: "points", textContent: new Intl.NumberFormat(language()).format(points) }), bar);
}

/** @param {any} move @param {((move: any) => void) | null} correct */
function moveRow(move, correct) {
  const parts = [
    el("span", { class: "number", textContent: move.number }), nameOf(move.player),
    el("span", { class: "did" }, moveView(move.text, move.player)),
    pointsOf(move) ? el("span", { class: "gain", textContent: `+${pointsOf(move)}` }) : null,
    move.known !== "seen" ? el("span", { class: "known", textContent: tf("known", move.known) }) : null,
  ];
  if (!correct) return el("li", {}, el("span", { class: "entry" }, parts));
  return el("li", {}, el("button", { type: "button", class: "entry", title: t("log.correct"), onclick: () => correct(move) }, parts));
}

/** What a move earned: a number, or by side. @param {any} move */
export function pointsOf(move) {
  if (typeof move.points === "number") return move.points;
  return Object.values(move.points ?? {}).reduce((sum, n) => sum + Number(n), 0);
}

/** @param {any} state */
function handsView(state) {
  const sides = Object.keys(state.sides ?? {});
  const head = el("tr", {}, el("th", { scope: "col", textContent: t("hands.number") }),
    sides.map((side) => el("th", { scope: "col" }, nameOf(side))), el("th", { scope: "col", textContent: t("hands.reason") }));
  return el("table", {}, el("thead", {}, head), el("tbody", {}, (state.hands ?? []).toReversed().map((/** @type {any} */ hand) =>
    el("tr", {}, el("th", { scope: "row", textContent: hand.number }),
      sides.map((side) => el("td", { textContent: hand.points?.[side] ? `+${hand.points[side]}` : "–" },
        el("small", { textContent: hand.totals?.[side] ?? "" }))),
      el("td", { class: "reason", textContent: hand.reason ? tf("result", hand.reason) : "" })))));
}

/** @param {number} share */
function percent(share) {
  return new Intl.NumberFormat(language(), { style: "percent", maximumFractionDigits: 0 }).format(share);
}

/** @param {any} state */
function alertsView(state) {
  const suspicions = state.suspicions ?? [];
  const said = (/** @type {any} */ alert) => suspicions.some((/** @type {any} */ one) => one.player === alert.player && one.tiles?.includes(alert.tile));
  const alerts = [...(state.alerts ?? []).filter((/** @type {any} */ alert) => !said(alert)), ...suspicions].slice(-6).toReversed();
  return alerts.length > 0 && el("section", { class: "alerts", "aria-label": t("alerts.title") },
    el("h2", { textContent: t("alerts.title") }),
    el("ul", {}, alerts.map((/** @type {any} */ alert) => el("li", {}, alert.player ? nameOf(alert.player) : null, ` ${alert.title ? `${alert.title}: ` : ""}${alert.text}`,
      typeof alert.odds === "number" ? el("small", { textContent: ` ${percent(alert.odds)}` }) : null))));
}
