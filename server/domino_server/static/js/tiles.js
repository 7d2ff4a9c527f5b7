// Tiles drawn as tiles: ivory, a bar, real pips.
import { svg } from "./dom.js";

/** The pips of a half by rows across it. */
const ROWS = [
  [], [1], [1, 1], [1, 1, 1], [2, 2], [2, 1, 2], [2, 2, 2], [2, 3, 2], [3, 2, 3], [3, 3, 3], [3, 4, 3], [4, 3, 4],
  [4, 4, 4], [4, 5, 4], [5, 4, 5], [5, 5, 5], [4, 4, 4, 4], [6, 5, 6], [6, 6, 6],
];

/** @param {number} pips @param {number} middle x of the half's middle */
function half(pips, middle) {
  const rows = ROWS[pips] ?? [];
  const wide = rows.length < 4 ? 11 : 8;
  return rows.flatMap((across, row) => Array.from({ length: across }, (_, at) => {
    const spread = across === 1 && rows.length > 1 && rows.every((n) => n === 1);
    const along = (row - (rows.length - 1) / 2) * (rows.length === 2 ? 22 : wide);
    const over = spread ? along : (at - (across - 1) / 2) * (22 / Math.max(Math.max(...rows) - 1, 1));
    return svg("circle", { class: "pip", cx: middle + along, cy: 20 + over, r: pips < 10 ? 4 : 2.6 });
  }));
}

/** Return a tile lying down, read from left to right. @param {string} text `6-4` or `6|4` */
export function tileOf(text) {
  const [a, b] = halvesOf(text);
  return svg("svg", { class: "tile", viewBox: "0 0 80 40", role: "img", "aria-label": `${a}-${b}` },
    svg("rect", { class: "body", x: 1, y: 1, width: 78, height: 38, rx: 7 }),
    svg("line", { class: "bar", x1: 40, y1: 7, x2: 40, y2: 33 }), half(a, 20), half(b, 60));
}

/** Return one half. @param {number} pips */
export function halfOf(pips) {
  return svg("svg", { class: "tile half", viewBox: "0 0 40 40", role: "img", "aria-label": String(pips) },
    svg("rect", { class: "body", x: 1, y: 1, width: 38, height: 38, rx: 7 }), half(pips, 20));
}

/** Return a tile that shows its back. */
export function backOf() {
  return svg("svg", { class: "tile", viewBox: "0 0 80 40", "aria-hidden": "true" },
    svg("rect", { class: "back", x: 1, y: 1, width: 78, height: 38, rx: 7 }));
}

/** @param {string} text @returns {number[]} */
export function halvesOf(text) {
  return text.split(/[-|]/).map(Number);
}

/** Return the tile with the higher half first, as tiles are named. @param {number} a @param {number} b */
export function tileName(a, b) {
  return `${Math.max(a, b)}-${Math.min(a, b)}`;
}

/** The sum of the pips of tiles. @param {string[]} tiles */
export function pipsOf(tiles) {
  return tiles.reduce((sum, tile) => sum + halvesOf(tile).reduce((a, b) => a + b, 0), 0);
}

const HIGHEST = { "double-nine": 9, "double-twelve": 12, "double-fifteen": 15, "double-eighteen": 18 };

/** The highest half of a set. @param {string | null | undefined} set */
export function highestOf(set) {
  return HIGHEST[/** @type {keyof typeof HIGHEST} */ (set ?? "")] ?? 6;
}

/** All tiles of a set, doubles first in each row. @param {string | null | undefined} set */
export function tilesOf(set) {
  const low = set?.includes("chinese") ? 1 : 0;
  const rows = [];
  for (let high = highestOf(set); high >= low; high -= 1) {
    for (let other = high; other >= low; other -= 1) rows.push(`${high}-${other}`);
  }
  return rows;
}
