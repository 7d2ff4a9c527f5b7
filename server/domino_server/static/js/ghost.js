// The table as it last lay undisturbed, drawn over the live picture until every tile lies there again.
import { svg } from "./dom.js";
import { t } from "./i18n.js";
import { names, points } from "./pictures.js";

/** The outlines of the tiles, those that lie right already drawn faintly. @param {any} state @param {[number, number]} size */
export function ghostLayer(state, size) {
  const tiles = state?.ghost ?? [];
  return svg("g", { class: "ghost-tiles" },
    tiles.map((/** @type {any} */ tile) => svg("polygon", { points: points(tile.quad), "data-matches": String(tile.matches) })),
    names(tiles.filter((/** @type {any} */ tile) => !tile.matches), Math.max(...size), tiles));
}

/** What is to be put back, in words; empty if nothing was bumped. @param {any} state */
export function ghostWords(state) {
  const astray = (state?.ghost ?? []).filter((/** @type {any} */ tile) => !tile.matches);
  return astray.length ? t("ghost.put_back", { n: astray.length, tiles: astray.map((/** @type {any} */ tile) => tile.tile).join(", ") }) : "";
}
