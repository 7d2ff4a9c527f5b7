// All tiles of a set to pick from: tapped, or typed as two numbers.
import { el, fill } from "./dom.js";
import { openDialog } from "./dialogs.js";
import { t } from "./i18n.js";
import { highestOf, tileName, tileOf, tilesOf } from "./tiles.js";

/**
 * A grid of tiles, each a button that can be pressed in.
 * @param {string | null} set @param {(tile: string, pressed: boolean) => void} picked
 * @param {{chosen?: string[], gone?: string[], multiple?: boolean}} [how]
 */
export function tileGrid(set, picked, { chosen = [], gone = [], multiple = false } = {}) {
  const buttons = tilesOf(set).map((tile) => el("button", {
    type: "button", class: "pick", data: { tile }, disabled: gone.includes(tile),
    "aria-label": tile, ...(multiple ? { "aria-pressed": String(chosen.includes(tile)) } : {}),
    onclick: (/** @type {any} */ event) => press(event.currentTarget),
  }, tileOf(tile)));
  const press = (/** @type {HTMLButtonElement} */ button) => {
    const pressed = button.getAttribute("aria-pressed") !== "true";
    if (multiple) button.setAttribute("aria-pressed", String(pressed));
    picked(button.dataset.tile ?? "", pressed);
  };
  const grid = el("div", { class: "tile-grid", role: "group", "aria-label": t("tiles.all"), data: { set: set ?? "" } }, buttons);
  grid.addEventListener("keydown", typing(set, (tile) => {
    const button = buttons.find((b) => b.dataset.tile === tile && !b.disabled);
    button?.focus();
    if (button) press(button);
  }));
  return grid;
}

/** Two digits typed one after the other name a tile. @param {string | null} set @param {(tile: string) => void} named */
function typing(set, named) {
  let first = /** @type {number | null} */ (null);
  return (/** @type {KeyboardEvent} */ event) => {
    if (!/^\d$/.test(event.key) || highestOf(set) > 9) return;
    event.preventDefault();
    event.stopPropagation();
    if (first === null) {
      first = Number(event.key);
      return;
    }
    named(tileName(first, Number(event.key)));
    first = null;
  };
}

/** Ask for one tile. @param {string} title @param {string | null} set @param {string} [help] @returns {Promise<string|null>} */
export function pickTile(title, set, help = "") {
  return openDialog(title, (close, dialog) => {
    const grid = tileGrid(set, (tile) => close(tile));
    queueMicrotask(() => dialog.querySelector(/** @type {any} */ (".pick")).focus());
    return [el("p", { class: "soft", textContent: help || t("tiles.pick_help") }), grid];
  }, "wide");
}

/**
 * A list of tiles that can be put right: each is taken out by tapping it, others are added.
 * @param {string | null} set @param {string[]} tiles @param {(tiles: string[]) => void} changed
 */
export function tileList(set, tiles, changed) {
  const place = el("div", { class: "chips" });
  const show = () => fill(place, tiles.map((tile, at) => el("button", {
    type: "button", class: "chip", "aria-label": t("tiles.take_out", { tile }), onclick: () => put(tiles.toSpliced(at, 1)),
  }, tileOf(tile))), el("button", {
    type: "button", class: "chip add", textContent: "+", "aria-label": t("tiles.add"), onclick: async () => {
      const tile = await pickTile(t("tiles.add"), set);
      if (tile) put([...tiles, tile]);
    },
  }));
  const put = (/** @type {string[]} */ next) => {
    tiles = next;
    show();
    changed(tiles);
  };
  show();
  return place;
}
