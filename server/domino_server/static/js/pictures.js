// Pictures that need a token: shown from memory, and boxes drawn over them in their own pixels.
import { svg } from "./dom.js";

const GLYPH = 0.6; // width of a digit, of its size
/** Running into another name is worse than covering a corner of a tile, and better than covering half of one. */
const COLLISION = 4;

/** Show a file or blob in an image, and let go of what it showed before. @param {HTMLImageElement} image @param {Blob} blob */
export function showBlob(image, blob) {
  const old = image.src;
  image.src = URL.createObjectURL(blob);
  if (old.startsWith("blob:")) URL.revokeObjectURL(old);
}

/**
 * Hand over the files that are chosen in an input, those too that were chosen before the page was ready to listen.
 * @param {HTMLInputElement} input @param {(files: File[]) => any} take
 */
export function whenChosen(input, take) {
  const chosen = () => {
    const files = [...(input.files ?? [])];
    input.value = "";
    if (files.length) take(files);
  };
  input.addEventListener("change", chosen);
  chosen();
}

/** Boxes over a picture of a size in pixels. @param {[number, number]} size @param {any[]} boxes each `{quad, tile}` */
export function boxesOver([width, height], boxes) {
  return svg("svg", { class: "boxes", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    boxes.map((box) => svg("polygon", { points: points(box.quad), "data-role": box.role ?? "loose" })),
    names(boxes, Math.max(width, height)));
}

/** How large the name of a tile may be, so that it does not run into the names beside it. @param {any} box @param {number} long the picture's longer side */
export function textSize(box, long) {
  const across = box.quad.map((/** @type {number[]} */ corner) => corner[0]);
  const fits = (Math.max(...across) - Math.min(...across)) / (GLYPH * String(box.tile ?? "6-6").length);
  return Math.max(long / 160, Math.min(long / 45, fits));
}

/** The places for a name, the best first: above its tile, beside it, below, at its corners. @param {any} box @param {number} size */
function placesFor(box, size) {
  const [left, right] = extent(box.quad, 0);
  const [top, bottom] = extent(box.quad, 1);
  const [middle, level] = [(left + right) / 2, (top + bottom) / 2];
  const half = (GLYPH * box.tile.length * size) / 2;
  const gap = size / 4;
  const [over, under, before, behind] = [top - gap - size / 2, bottom + gap + size / 2, left - gap - half, right + gap + half];
  return [[middle, over], [behind, level], [before, level], [middle, under], [behind, over], [before, over], [behind, under], [before, under]]
    .map(([x, y]) => ({ x, y, half, size }));
}

/** The least and the most of corners along an axis. @param {number[][]} corners @param {number} axis */
function extent(corners, axis) {
  const along = corners.map((corner) => corner[axis]);
  return [Math.min(...along), Math.max(...along)];
}

/** How much of a tile a name would cover. @param {any} place @param {number[][]} quad */
function covered(place, quad) {
  const inside = (/** @type {number[]} */ [x, y]) => {
    const turns = quad.map(([ax, ay], n) => {
      const [bx, by] = quad[(n + 1) % quad.length];
      return (bx - ax) * (y - ay) - (by - ay) * (x - ax);
    });
    return turns.every((turn) => turn > 0) || turns.every((turn) => turn < 0);
  };
  const grid = [-0.95, -0.5, 0, 0.5, 0.95].flatMap((across) => [-0.35, 0, 0.35].map((down) => [place.x + across * place.half, place.y + down * place.size]));
  const corner = quad.some(([x, y]) => Math.abs(x - place.x) < place.half && Math.abs(y - place.y) < place.size * 0.35);
  return grid.filter(inside).length + Number(corner);
}

/** Whether two names would run into each other. @param {any} one @param {any} other */
function collide(one, other) {
  return Math.abs(one.x - other.x) < one.half + other.half && Math.abs(one.y - other.y) < (one.size + other.size) / 2;
}

/**
 * The names of tiles as texts over a picture, where no tile lies, so that its pips stay in sight; where tiles lie all
 * around, where they cover least.
 * @param {any[]} boxes each `{quad, tile}` @param {number} long the picture's longer side @param {any[]} [tiles] all that lie there
 * @param {any[]} [discs] what else is marked there, each `{x, y, r}`
 */
export function names(boxes, long, tiles = boxes, discs = []) {
  const placed = discs.map(({ x, y, r }) => ({ x, y, half: r, size: 2 * r }));
  return boxes.filter((box) => box.tile).map((box) => {
    const places = placesFor(box, textSize(box, long));
    const costs = places.map((each) => (placed.some((other) => collide(each, other)) ? COLLISION : 0)
      + tiles.reduce((sum, tile) => sum + covered(each, tile.quad), 0));
    const place = places[costs.indexOf(Math.min(...costs))];
    placed.push(place);
    const text = svg("text", { x: place.x, y: place.y + place.size * 0.36, "font-size": place.size });
    text.textContent = box.tile;
    return text;
  });
}

/** @param {number[][]} corners */
export function points(corners) {
  return corners.map(([x, y]) => `${x},${y}`).join(" ");
}
