// Pictures that need a token: shown from memory, and boxes drawn over them in their own pixels.
import { svg } from "./dom.js";

const GLYPH = 0.6; // width of a digit, of its size

/** Show a file or blob in an image, and let go of what it showed before. @param {HTMLImageElement} image @param {Blob} blob */
export function showBlob(image, blob) {
  const old = image.src;
  image.src = URL.createObjectURL(blob);
  if (old.startsWith("blob:")) URL.revokeObjectURL(old);
}

/** Boxes over a picture of a size in pixels. @param {[number, number]} size @param {any[]} boxes each `{quad, tile}` */
export function boxesOver([width, height], boxes) {
  return svg("svg", { class: "boxes", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    boxes.map((box) => svg("polygon", { points: points(box.quad), "data-role": box.role ?? "loose" })),
    boxes.map((box) => label(box, Math.max(width, height))));
}

/** How large the name of a tile may be, so that it does not run into the names beside it. @param {any} box @param {number} long the picture's longer side */
export function textSize(box, long) {
  const across = box.quad.map((/** @type {number[]} */ corner) => corner[0]);
  const fits = (Math.max(...across) - Math.min(...across)) / (GLYPH * String(box.tile ?? "6-6").length);
  return Math.max(long / 160, Math.min(long / 45, fits));
}

/** @param {any} box @param {number} long the picture's longer side */
export function label(box, long) {
  if (!box.tile) return null;
  const x = box.quad.reduce((/** @type {number} */ sum, /** @type {number[]} */ corner) => sum + corner[0], 0) / 4;
  const y = Math.min(...box.quad.map((/** @type {number[]} */ corner) => corner[1]));
  const size = textSize(box, long);
  const text = svg("text", { x, y: y - size / 4, "font-size": size });
  text.textContent = box.tile;
  return text;
}

/** @param {number[][]} corners */
export function points(corners) {
  return corners.map(([x, y]) => `${x},${y}`).join(" ");
}
