// The parts of the table, drawn on the picture: where the layout, the stock, each hand and each pile lie.
import { send } from "../api.js";
import { announce, byId, el, fill, svg } from "../dom.js";
import { openDialog, tried } from "../dialogs.js";
import { t, tf } from "../i18n.js";
import { points } from "../pictures.js";

const KINDS = { chain: ["layout", "stock"], bingo: ["trump", "stock", "trick"], "tiu-u": ["talon", "stock"] };
const SEAT_KINDS = { chain: ["hand"], bingo: ["hand", "pile"], "tiu-u": ["hand", "pile"] };

export class Zones {
  /** @param {import("../model.js").Table} table @param {import("./picture.js").Picture} picture @param {import("../keys.js").Keys} keys */
  constructor(table, picture, keys) {
    this._table = table;
    this._picture = picture;
    this._shown = "";
    byId("draw-zones").addEventListener("click", () => this._open());
    keys.on("z", t("zones.draw"), () => this._open());
  }

  /** @param {any} state */
  show(state) {
    const zones = zonesOf(state);
    const key = JSON.stringify(zones);
    if (key === this._shown) return;
    this._shown = key;
    this._picture.extra.replaceChildren(...zones.map((zone) => this._shape(zone)));
  }

  /** @param {any} zone */
  _shape(zone) {
    const [x, y] = [0, 1].map((axis) => Math.min(...zone.polygon.map((/** @type {number[]} */ corner) => corner[axis])));
    const size = Math.max(...this._picture.size) / 60;
    const text = svg("text", { x: x + size / 2, y: y + size * 1.2, "font-size": size });
    text.textContent = zoneName(zone.name, this._table.state.seats);
    return svg("g", { class: "zone" }, svg("polygon", { points: points(zone.polygon) }), text);
  }

  /** Choose a zone; then its corners are shown on the picture. */
  async _open() {
    const state = this._table.state;
    const drawn = zonesOf(state);
    const group = state.game in KINDS ? state.game : "chain";
    const names = [...KINDS[/** @type {"chain"} */ (group)],
      ...SEAT_KINDS[/** @type {"chain"} */ (group)].flatMap((kind) => state.seats.map((/** @type {string} */ _, /** @type {number} */ seat) => `${kind}-${seat}`))];
    const chosen = await openDialog(t("zones.draw"), (close) => [
      el("p", { class: "soft", textContent: t("zones.help") }),
      el("ul", { class: "zone-list" }, names.map((name) => el("li", {},
        el("span", { textContent: zoneName(name, state.seats) }),
        el("button", { type: "button", textContent: drawn.some((zone) => zone.name === name) ? t("zones.again") : t("zones.draw_one"), "aria-label": `${zoneName(name, state.seats)}: ${t("zones.draw_one")}`, onclick: () => close({ draw: name }) }),
        drawn.some((zone) => zone.name === name)
          && el("button", { type: "button", class: "quiet", textContent: t("zones.remove"), "aria-label": `${zoneName(name, state.seats)}: ${t("zones.remove")}`, onclick: () => close({ remove: name }) })))),
      el("p", { class: "row end" }, el("button", { type: "button", textContent: t("zones.preset"), onclick: () => close({ preset: true }) }))], "wide");
    if (!chosen) return;
    if (chosen.preset) await this._save(null);
    else if (chosen.remove) await this._save(drawn.filter((zone) => zone.name !== chosen.remove));
    else await this._draw(chosen.draw, drawn);
  }

  /** @param {string} name @param {any[]} drawn */
  async _draw(name, drawn) {
    const hint = byId("tool-hint");
    const corners = /** @type {number[][]} */ ([]);
    const line = svg("polygon", { class: "drawing" });
    const finish = el("button", { type: "button", class: "main", textContent: t("zones.done"), hidden: true, onclick: () => this._picture.pointer.cancel() });
    this._picture.extra.append(line);
    for (;;) {
      fill(hint, t("zones.corner", { name: zoneName(name, this._table.state.seats), n: corners.length + 1 }), " ", finish);
      const at = await this._picture.pointer.point(this._picture.size, corners.at(-1) ?? null);
      if (!at) break;
      corners.push(at);
      line.setAttribute("points", points(corners));
      finish.hidden = corners.length < 3;
    }
    line.remove();
    hint.replaceChildren();
    if (corners.length >= 3) await this._save([...drawn.filter((zone) => zone.name !== name), { name, polygon: corners }]);
    else if (corners.length) announce(t("zones.few"), "warn");
  }

  /** @param {any[] | null} zones */
  async _save(zones) {
    await tried(() => send(`${this._table.path}/commands`, zones ? { op: "zones", zones } : { op: "zones", reset: true }));
  }
}

/** @param {any} state @returns {any[]} */
function zonesOf(state) {
  return Array.isArray(state.zones) ? state.zones : state.zones?.zones ?? [];
}

/** @param {string} name @param {string[]} seats */
function zoneName(name, seats) {
  const [kind, seat] = name.split("-");
  return seat === undefined ? tf("zone", kind) : `${tf("zone", kind)}: ${seats?.[Number(seat)] ?? seat}`;
}
