// The live picture with what the program sees drawn over it: each box can be tapped and put right.
import { getBlob, send } from "../api.js";
import { announce, byId, el, svg } from "../dom.js";
import { tried } from "../dialogs.js";
import { language, t } from "../i18n.js";
import { names, points, showBlob, textSize } from "../pictures.js";
import { ghostLayer, ghostWords } from "../ghost.js";
import { pickTile } from "../pick_tile.js";
import { Pointer } from "./pointer.js";
import { tileDialog } from "./tile_dialog.js";

/** The most pictures a second that are fetched for the eye. */
const LEAST_MS = 150;

export class Picture {
  /** @param {import("../model.js").Table} table @param {import("../keys.js").Keys} keys */
  constructor(table, keys) {
    this._table = table;
    this._image = byId("picture");
    this._boxes = byId("boxes");
    this._number = -1;
    this._loading = false;
    this._drawn = "";
    this.pointer = new Pointer(this._boxes);
    this.extra = svg("g", { class: "zones" });
    this._ghost = svg("g", { class: "ghost" });
    const toggle = byId("show-boxes");
    const turn = () => toggle.setAttribute("aria-pressed", String(this._boxes.classList.toggle("bare") === false));
    toggle.addEventListener("click", turn);
    keys.on("b", t("picture.boxes"), turn);
    byId("missed").addEventListener("click", () => this._missed());
    keys.on("m", t("tile.missed"), () => this._missed());
  }

  /** The size of the picture in its own pixels. */
  get size() {
    const state = this._table.state;
    return state?.observation?.size ?? state?.camera?.size ?? [this._image.naturalWidth || 1600, this._image.naturalHeight || 900];
  }

  /** @param {any} state */
  show(state) {
    if (state.picture !== this._number && state.picture) this._load(state.picture);
    this._draw(state.observation);
    this._haunt(state);
  }

  /** @param {number} number */
  async _load(number) {
    if (this._loading) return;
    this._loading = true;
    try {
      showBlob(this._image, await getBlob(`${this._table.path}/picture.jpg?kind=plain`));
      this._number = number;
      this._image.alt = t("picture.alt");
      this._image.hidden = false;
      byId("no-picture").hidden = true;
    } catch {
      this._number = number; // the next picture is another try
    }
    setTimeout(() => {
      this._loading = false;
      const newest = this._table.state?.picture;
      if (newest && newest !== this._number) this._load(newest);
    }, LEAST_MS);
  }

  /** Show where the tiles lay before the table was bumped. @param {any} state */
  _haunt(state) {
    this._ghost.replaceChildren(ghostLayer(state, this.size));
    const words = ghostWords(state);
    const place = byId("ghost-said");
    if (words && words !== place.textContent) announce(words, "warn");
    place.textContent = words;
  }

  /** @param {any} seen */
  _draw(seen) {
    const [width, height] = this.size;
    this._boxes.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const key = JSON.stringify(seen ?? null);
    if (key === this._drawn) return;
    this._drawn = key;
    const focused = /** @type {any} */ (document.activeElement)?.dataset?.index;
    const tiles = seen?.tiles ?? [];
    const doubted = new Set((seen?.problems ?? []).flatMap((/** @type {any} */ problem) => problem.tiles ?? []));
    const long = Math.max(width, height);
    const ends = endsOf(seen, long);
    this._boxes.replaceChildren(this.extra, this._ghost, ...joinsOf(seen, long), ...tiles.map((/** @type {any} */ tile, /** @type {number} */ at) => this._box(tile, tile.index ?? at, doubted)),
      ...names(tiles, long, tiles, ends), ...ends.map(markOf), this.pointer.mark);
    if (focused !== undefined) this._boxes.querySelector(`[data-index="${focused}"]`)?.focus();
  }

  /** @param {any} tile @param {number} index @param {Set<number>} doubted */
  _box(tile, index, doubted) {
    const sure = new Intl.NumberFormat(language(), { style: "percent" }).format(tile.confidence ?? 0);
    const open = () => { if (!this.pointer.busy && this._table.role !== "judge") this._open(tile, index); };
    return svg("polygon", {
      points: points(tile.quad), class: doubted.has(index) ? "box doubt" : "box", "data-role": tile.role, "data-index": index,
      tabindex: 0, role: "button", "aria-label": tile.tile ? t("tile.seen", { tile: tile.tile, sure }) : t("tile.unread"),
      onclick: open, onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); open(); } },
    });
  }

  /** @param {any} tile @param {number} index */
  async _open(tile, index) {
    const others = this._table.state.observation.tiles.filter((/** @type {any} */ other) => other.index !== index);
    const told = await tileDialog(this._image, this.size, { ...tile, index }, others, this._table.state.set);
    for (const command of told ?? []) await this._tell(command);
  }

  async _missed() {
    const tile = await pickTile(t("tile.missed"), this._table.state?.set);
    if (!tile) return;
    byId("tool-hint").textContent = t("tile.where", { tile });
    const at = await this.pointer.point(this.size);
    byId("tool-hint").textContent = "";
    if (at && (await this._tell({ op: "missed", tile, at }))) announce(t("tile.added", { tile }));
  }

  /** @param {any} command */
  async _tell(command) {
    return tried(() => send(`${this._table.path}/commands`, command));
  }
}

/** @param {any} seen @param {number} long */
function joinsOf(seen, long) {
  const place = (/** @type {any} */ quad, /** @type {string} */ part) => {
    const corners = part === "a" ? [quad[0], quad[1]] : part === "b" ? [quad[2], quad[3]] : quad;
    return [0, 1].map((axis) => corners.reduce((/** @type {number} */ sum, /** @type {number[]} */ corner) => sum + corner[axis], 0) / corners.length);
  };
  const byIndex = new Map((seen?.tiles ?? []).map((/** @type {any} */ tile) => [tile.index, tile]));
  return (seen?.joins ?? []).flatMap((/** @type {any} */ [a, partA, b, partB]) => {
    const ends = [[a, partA], [b, partB]].filter(([i, part]) => byIndex.has(i) && part !== "m").map(([i, part]) => place(byIndex.get(i).quad, part));
    if (!ends.length) return [];
    const [x, y] = [0, 1].map((axis) => ends.reduce((sum, end) => sum + end[axis], 0) / ends.length);
    return [svg("circle", { class: "join", cx: x, cy: y, r: long / 200 })];
  });
}

/** Where the numbers of the open ends stand: each beside its tile. @param {any} seen @param {number} long */
function endsOf(seen, long) {
  const size = Math.min(long / 45, ...(seen?.tiles ?? []).map((/** @type {any} */ tile) => textSize(tile, long)));
  const r = size * 0.82;
  return (seen?.ends ?? []).filter((/** @type {any} */ end) => end.at).map((/** @type {any} */ end) => {
    const [x, y] = [0, 1].map((axis) => end.at[axis] + end.out[axis] * r * 1.2);
    return { x, y, r, size, pips: end.pips };
  });
}

/** @param {{x: number, y: number, r: number, size: number, pips: number}} end */
function markOf({ x, y, r, size, pips }) {
  const text = svg("text", { x, y: y + size * 0.37, "font-size": size, class: "end-number" });
  text.textContent = String(pips);
  return svg("g", { class: "end" }, svg("circle", { cx: x, cy: y, r }), text);
}
