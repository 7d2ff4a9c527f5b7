// Tiles that the pictures alone do not tell: each is shown, and a person says which it is.
import { el } from "../dom.js";
import { t } from "../i18n.js";
import { pickTile } from "../pick_tile.js";
import { tileOf } from "../tiles.js";

/** @typedef {{picture: number, index: number, name: string, choices: string[], crop: string}} Doubt as the server tells it */

export class Doubts {
  constructor() {
    this.clear();
  }

  /** Forget everything, because other pictures are there. */
  clear() {
    this._open = /** @type {Doubt[]} */ ([]);
    this._told = /** @type {Map<string, string>} */ (new Map());
  }

  /** Take what the server cannot tell; answers that were given stay. @param {Doubt[]} doubts */
  take(doubts) {
    this._open = doubts;
  }

  /** What was said, as the server takes it. */
  get told() {
    return [...this._told].map(([place, tile]) => `${place}=${tile}`);
  }

  /** The doubts to be answered. @param {string} set */
  view(set) {
    return this._open.map((doubt) => this._card(doubt, set));
  }

  /** @param {Doubt} doubt @param {string} set */
  _card(doubt, set) {
    const place = `${doubt.picture}:${doubt.index}`;
    const choices = el("div", { class: "row" });
    const said = (/** @type {string} */ tile) => {
      this._told.set(place, tile);
      show();
      choices.querySelector("[aria-pressed=true]")?.focus();
    };
    const show = () => {
      const told = this._told.get(place);
      const offered = [...new Set([...doubt.choices, ...(told ? [told] : [])])];
      choices.replaceChildren(...offered.map((tile) => el("button", {
        type: "button", class: "pick", "aria-pressed": String(tile === told), "aria-label": tile, onclick: () => said(tile) }, tileOf(tile))),
        el("button", { type: "button", textContent: t("own.another"), onclick: async () => {
          const tile = await pickTile(t("own.which_tile"), set);
          if (tile) said(tile);
        } }));
    };
    show();
    return el("fieldset", { class: "doubt" }, el("legend", { textContent: t("own.doubt", { n: doubt.picture, name: doubt.name }) }),
      cropOf(doubt.crop), choices);
  }
}

/** @param {string} text a JPEG in base64 */
function cropOf(text) {
  const jpeg = new Blob([Uint8Array.from(atob(text), (char) => char.charCodeAt(0))], { type: "image/jpeg" });
  const image = el("img", { class: "crop", alt: t("own.doubt_picture"), src: URL.createObjectURL(jpeg) });
  image.addEventListener("load", () => URL.revokeObjectURL(image.src), { once: true });
  return image;
}
