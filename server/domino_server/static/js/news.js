// What happened at the table as one sentence in the language of the page.
import { t, tf } from "./i18n.js";
import { moveView } from "./moves.js";

/** A numbered event as a sentence; empty for what needs none. @param {any} event */
export function newsOf(event) {
  switch (event.event) {
    case "move": return sentence(t("news.move", { player: event.player, move: words(event.text, event.player) }), points(event.points));
    case "correction": return correction(event);
    case "hand_end": return handEnd(event);
    case "match_end": return t("score.winner", { side: event.winner });
    case "illegal": return event.tile ? t("news.illegal", { tile: event.tile, player: event.player ?? "" }) : t("news.illegal_move", { player: event.player ?? "" });
    case "undo": return t("news.undo");
    case "redo": return t("news.redo");
    default: return "";
  }
}

/** @param {any} event */
function correction(event) {
  const said = (/** @type {string} */ text) => {
    const player = playerOf(text);
    return t("news.move", { player, move: words(text, player) });
  };
  if (event.after && event.before) return t("news.corrected", { after: said(event.after), before: said(event.before) });
  return event.after ? t("news.inserted", { after: said(event.after) }) : t("news.removed", { before: said(event.before ?? "") });
}

/** @param {any} event */
function handEnd(event) {
  const gained = Object.entries(event.points ?? {}).filter(([, n]) => Number(n))
    .map(([side, n]) => t("ask.points", { side, n: Number(n) }));
  return sentence(t("news.hand_end", { reason: tf("result", event.reason ?? "told"), winner: event.winner ?? "–" }), gained.join(", "));
}

/** @param {number} n */
function points(n) {
  return n ? t("board.points", { n }) : "";
}

/** @param {...string} parts */
function sentence(...parts) {
  return parts.filter(Boolean).join(" · ");
}

/** A move in plain words. @param {string} text @param {string} player */
export function words(text, player) {
  return moveView(text, player).map((node) => {
    if (typeof node === "string") return node;
    return node instanceof SVGElement ? node.getAttribute("aria-label") : node.textContent;
  }).join(" ").replace(/ +/g, " ").trim();
}

/** The player with whom a written move begins. @param {string} text */
export function playerOf(text) {
  const quoted = /^"(?:[^"\\]|\\.)*"/.exec(text);
  return quoted ? JSON.parse(quoted[0]) : text.split(" ", 1)[0];
}
