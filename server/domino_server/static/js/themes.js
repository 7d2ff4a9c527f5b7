// The themes of the overlay, with what each shows unless `show=` says otherwise.

/** The parts of an overlay, in the order in which they are offered. */
export const PARTS = ["score", "layout", "ends", "last", "hand", "news"];

export const THEMES = { scoreboard: "score,last,news,hand,ends", layout: "score,layout,ends,news,hand,last", minimal: "score,news" };

/** @typedef {keyof typeof THEMES} Theme */

/** Return a theme by its name, the scoreboard for one that is none. @param {string | null} name @returns {Theme} */
export function themeOf(name) {
  return /** @type {Theme} */ (Object.hasOwn(THEMES, name ?? "") ? name : "scoreboard");
}

/** Return the parts that a list names. @param {string} list */
export function partsOf(list) {
  return new Set(list.split(",").map((name) => name.trim()));
}
