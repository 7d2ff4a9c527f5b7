// One tile of the picture, large and upright: its halves can be put right, or it is said to be no tile.
import { labelled, openDialog, selectOf } from "../dialogs.js";
import { el } from "../dom.js";
import { t } from "../i18n.js";
import { halfOf, highestOf } from "../tiles.js";

const WIDTH = 150;
const HEIGHT = 300;

/**
 * Ask what a tile is. @param {HTMLImageElement} image @param {[number, number]} size pixels in which `quad` is given
 * @param {any} tile @param {any[]} others that it may be joined to @param {string} set
 * @returns {Promise<any[] | null>} commands
 */
export function tileDialog(image, size, tile, others, set) {
  return openDialog(tile.tile ? t("tile.title", { tile: tile.tile }) : t("tile.unread"), (close) => {
    const halves = [...(tile.halves ?? [null, null])];
    const rows = [0, 1].map((half) => halfRow(half, halves, set));
    const join = joinField(others);
    const save = () => close([
      ...[0, 1].filter((half) => halves[half] !== null && halves[half] !== tile.halves?.[half])
        .map((half) => ({ op: "half", tile: tile.index, half, pips: halves[half] })),
      ...(join.value === "seen" ? [] : [{ op: "join", tiles: [tile.index, join.value === "none" ? null : Number(join.value)] }]),
    ]);
    return [el("div", { class: "tile-dialog" }, cutOut(image, size, tile.quad), el("div", {}, rows, labelled(t("tile.join"), join))),
      el("p", { class: "row end" },
        el("button", { type: "button", class: "danger", textContent: t("tile.phantom"), onclick: () => close([{ op: "phantom", tile: tile.index }]) }),
        el("button", { type: "button", class: "main", textContent: t("action.save"), onclick: save }))];
  }, "wide");
}

/** What a tile is joined to, where that was seen wrong. @param {any[]} others */
function joinField(others) {
  return selectOf([["seen", t("tile.join_seen")], ["none", t("tile.join_none")],
    ...others.filter((other) => other.tile).map((other) => /** @type {[string, string]} */ ([String(other.index), other.tile]))], "seen");
}

/** @param {number} half @param {Array<number | null>} halves @param {string} set */
function halfRow(half, halves, set) {
  const name = `half-${half}`;
  return el("fieldset", { class: "half-row" }, el("legend", { textContent: half === 0 ? t("tile.first") : t("tile.second") }),
    Array.from({ length: highestOf(set) + 1 }, (_, pips) => el("label", { class: "pick half-pick" },
      el("input", { type: "radio", name, value: pips, checked: halves[half] === pips, "aria-label": String(pips),
        onchange: () => { halves[half] = pips; } }), hiddenHalf(pips))));
}

/** The tile cut out of the picture, its first half on top. */
function cutOut(/** @type {HTMLImageElement} */ image, /** @type {[number, number]} */ size, /** @type {number[][]} */ quad) {
  const canvas = el("canvas", { class: "cut-out", width: WIDTH, height: HEIGHT, role: "img", "aria-label": t("tile.cut_out") });
  const scale = (image.naturalWidth || size[0]) / size[0];
  const [origin, right, , down] = quad.map((corner) => corner.map((value) => value * scale));
  const [ax, ay] = [(right[0] - origin[0]) / WIDTH, (right[1] - origin[1]) / WIDTH];
  const [bx, by] = [(down[0] - origin[0]) / HEIGHT, (down[1] - origin[1]) / HEIGHT];
  const inverse = new DOMMatrix([ax, ay, bx, by, origin[0], origin[1]]).inverse();
  const paint = canvas.getContext("2d");
  if (paint && image.complete && image.naturalWidth && Number.isFinite(inverse.a)) {
    paint.setTransform(inverse);
    paint.drawImage(image, 0, 0);
  }
  return canvas;
}

/** A half beside a control that names it already. @param {number} pips */
function hiddenHalf(pips) {
  const drawn = halfOf(pips);
  drawn.removeAttribute("role");
  drawn.removeAttribute("aria-label");
  drawn.setAttribute("aria-hidden", "true");
  return drawn;
}
