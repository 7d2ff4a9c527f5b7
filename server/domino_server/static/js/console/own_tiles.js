// Your tiles: a set of one's own in three steps: which, pictures of it, use at this table.
import { Refused, get, getBlob, send } from "../api.js";
import { announce, byId, el, fill } from "../dom.js";
import { confirmed, labelled, openDialog, selectOf, tried } from "../dialogs.js";
import { t, tf } from "../i18n.js";
import { whenChosen } from "../pictures.js";
import { tileOf } from "../tiles.js";
import { Doubts } from "./doubts.js";

const STEPS = ["which", "pictures", "use"];
const SETS = ["double-six", "double-nine", "double-twelve", "chinese"];
const MOST_PICTURES = 12;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}_ .-]{0,39}(?<![ .])$/u;

export class OwnTiles {
  /** @param {import("../model.js").Table} table @param {import("../keys.js").Keys} keys */
  constructor(table, keys) {
    this._table = table;
    this._opening = false;
    byId("own-tiles").addEventListener("click", () => this.open());
    keys.on("t", t("own.title"), () => this.open());
  }

  async open() {
    if (this._table.role === "judge") return; // tiles are for those who keep the table
    if (this._opening || !this._table.state) return;
    this._opening = true;
    const known = await tried(() => get("/tiles"));
    this._opening = false;
    if (!Array.isArray(known) || document.querySelector("dialog[open]")) return;
    this._known = /** @type {any[]} */ (known);
    this._set = SETS.includes(this._table.state.set) ? this._table.state.set : SETS[0];
    this._name = "";
    this._old = /** @type {any} */ (null);
    this._pictures = /** @type {File[]} */ ([]);
    this._doubts = new Doubts();
    this._result = /** @type {any} */ (null);
    await openDialog(t("own.title"), (close) => {
      this._close = close;
      this._place = el("div", { class: "own-tiles" });
      this._show(0, false);
      return this._place;
    }, "wide");
  }

  /** @param {number} step @param {boolean} [move] whether the focus goes there */
  _show(step, move = true) {
    const heading = el("h3", { tabIndex: -1, textContent: t("own.step", { n: step + 1, what: tf("own_step", STEPS[step]) }) });
    this._place.replaceChildren(heading, ...[this._which(), this._take(), this._use()][step]);
    if (move) heading.focus();
  }

  _which() {
    const old = selectOf([["", t("own.new")], ...this._known.map((row) => [row.name, row.problem ? t("own.damaged", row) : t("own.known", row)])], this._old?.name ?? "");
    const set = selectOf(SETS.map((name) => [name, tf("own_set", name)]), this._set);
    const name = el("input", { value: this._old ? "" : this._name, maxLength: 40, required: true, autocomplete: "off" });
    const fresh = el("div", { class: "fields" }, labelled(t("own.set"), set), labelled(t("own.name"), name, t("own.name_help")));
    const chosen = () => this._known.find((row) => row.name === old.value) ?? null;
    const skip = el("button", { type: "button", textContent: t("own.use"), onclick: () => { keep(); this._show(2); } });
    const drop = el("button", { type: "button", class: "danger", textContent: t("own.remove"), onclick: () => this._remove(chosen().name) });
    const ahead = el("button", { class: "main", textContent: t("setup.next") });
    const turn = () => {
      const row = chosen();
      fresh.hidden = name.disabled = row !== null;
      skip.hidden = row === null || Boolean(row.problem);
      drop.hidden = !row?.yours;
      ahead.hidden = Boolean(row && (row.problem || !row.yours));
    };
    const check = () => {
      const taken = this._known.some((row) => row.name === name.value.trim());
      const wrong = taken ? "tiles_known" : NAME.test(name.value.trim()) ? "" : "tiles_name";
      name.setCustomValidity(wrong && tf("problem", wrong));
      return name.disabled || name.reportValidity();
    };
    const keep = () => {
      this._old = chosen();
      this._name = this._old?.name ?? name.value.trim();
      this._set = this._old?.set ?? set.value;
      this._result = null;
    };
    const next = (/** @type {Event} */ event) => {
      event.preventDefault();
      if (!check()) return;
      keep();
      this._show(1);
    };
    name.addEventListener("input", () => name.setCustomValidity(""));
    old.addEventListener("change", turn);
    turn();
    const now = this._table.state.config?.tiles;
    return [el("p", { class: "soft", textContent: t("own.help") }),
      now && el("p", { class: "row" }, el("span", { textContent: t("own.now", { name: now }) }),
        el("button", { type: "button", textContent: t("own.without"), onclick: () => this._apply(null) })),
      el("form", { onsubmit: next }, labelled(t("own.which"), old), fresh,
        el("p", { class: "row end" }, drop, skip, ahead))].filter(Boolean);
  }

  /** @param {string} name */
  async _remove(name) {
    const place = this._place;
    if (!await confirmed(t("own.remove_sure", { name }), t("own.remove"))) return;
    if (!await tried(() => send(`/tiles/${encodeURIComponent(name)}`, {}, "DELETE")) || place !== this._place) return;
    this._known = this._known.filter((row) => row.name !== name);
    this._old = null;
    announce(t("own.removed", { name }));
    this._show(0);
  }

  _take() {
    const said = el("p", { class: "check", role: "status" });
    const list = el("ul", { class: "zone-list" });
    const found = el("div", {});
    const doubts = el("div", { class: "doubts" });
    const file = el("input", { type: "file", accept: "image/*", multiple: true });
    const read = el("button", { type: "button", class: "main", textContent: t("own.read"), onclick: () => this._read(said, draw) });
    const next = el("button", { type: "button", textContent: t("setup.next"), onclick: () => this._show(2) });
    const draw = () => {
      fill(list, this._pictures.map((one) => this._picture(one, draw)));
      doubts.replaceChildren(...this._doubts.view(this._set));
      read.disabled = this._pictures.length === 0;
      next.hidden = this._result === null;
      fill(found, this._result && this._found());
    };
    const add = (/** @type {File[]} */ files) => {
      const left = this._pictures.length + files.length - MOST_PICTURES;
      this._pictures.push(...files.slice(0, MOST_PICTURES - this._pictures.length));
      said.textContent = left > 0 ? t("own.most", { n: MOST_PICTURES, left }) : "";
      draw();
    };
    whenChosen(file, add);
    const look = () => tried(async () => {
      const blob = await getBlob(`${this._table.path}/picture.jpg?kind=plain`);
      add([new File([blob], `${t("own.camera_picture")} ${this._pictures.length + 1}.jpg`, { type: blob.type })]);
    });
    draw();
    return [el("p", { class: "soft", textContent: t("own.pictures_help") }),
      el("div", { class: "row" }, el("label", { class: "button" }, file, el("span", { textContent: t("own.choose") })),
        el("button", { type: "button", textContent: t("own.camera"), onclick: look })),
      list, said, doubts, found,
      el("p", { class: "row end" }, el("button", { type: "button", textContent: t("setup.back"), onclick: () => this._show(0) }), read, next)];
  }

  /** @param {File} one @param {() => void} draw */
  _picture(one, draw) {
    return el("li", {}, el("span", { textContent: one.name }),
      el("button", { type: "button", class: "quiet", textContent: "×", "aria-label": t("own.drop", { picture: one.name }), onclick: () => {
        this._pictures.splice(this._pictures.indexOf(one), 1);
        this._doubts.clear();
        draw();
        this._place.querySelector("input[type=file]").focus();
      } }));
  }

  /** Send the pictures; what is seen and what is missing is shown. @param {HTMLElement} said @param {() => void} draw */
  async _read(said, draw) {
    const form = new FormData();
    for (const one of this._pictures) form.append("picture", one);
    for (const text of this._doubts.told) form.append("told", text);
    form.append("name", this._name);
    form.append("set", this._set);
    form.append("add", String(this._old !== null));
    const place = this._place;
    const buttons = place.querySelectorAll("button, input");
    said.textContent = t("own.reading");
    for (const one of buttons) one.disabled = true;
    try {
      const result = await send("/tiles", form);
      if (place !== this._place) return; // the dialog was left and opened anew
      if (!Array.isArray(result?.tiles)) throw new Refused(0, null); // something in between answered instead
      this._result = result;
      this._old = known(result);
      this._known = [...this._known.filter((row) => row.name !== this._old.name), this._old];
      this._pictures = [];
      this._doubts.clear();
      said.textContent = "";
    } catch (error) {
      if (place !== this._place) return;
      if (error instanceof Refused && error.code === "tiles_doubtful") this._doubts.take(error.params.doubts);
      said.textContent = /** @type {Error} */ (error).message;
    }
    for (const one of buttons) one.disabled = false;
    draw();
    const next = !this._pictures.length ? ".own-found" : place.querySelector(".doubt") ? ".doubt button" : "input[type=file]";
    place.querySelector(next)?.focus();
  }

  _found() {
    const seen = [...new Set(/** @type {string[]} */ (this._result.tiles))];
    const missing = /** @type {string[]} */ (this._result.missing);
    const tiles = (/** @type {string[]} */ some) => el("ul", { class: "chips" }, some.map((tile) => el("li", {}, tileOf(tile))));
    return el("div", { class: "own-found", tabIndex: -1 },
      el("h4", { textContent: t("own.found", { n: seen.length }) }), tiles(seen),
      el("h4", { textContent: missing.length ? t("own.missing", { n: missing.length }) : t("own.complete") }), tiles(missing));
  }

  _use() {
    return [el("p", { textContent: t("own.use_help", { name: this._name }) }),
      this._set !== this._table.state.set && el("p", { class: "note", textContent: t("own.other_set") }),
      el("p", { class: "row end" }, el("button", { type: "button", textContent: t("setup.back"), onclick: () => this._show(this._result ? 1 : 0) }),
        el("button", { type: "button", class: "main", textContent: t("own.use"), onclick: () => this._apply(this._name) }))].filter(Boolean);
  }

  /** @param {string | null} tiles */
  async _apply(tiles) {
    if (!await tried(() => send(this._table.path, { config: { tiles } }, "PATCH"))) return;
    this._close();
    announce(tiles ? t("own.used", { name: tiles }) : t("own.unused"));
  }
}

/** The row of the list that enrolled tiles will have. @param {any} result */
function known(result) {
  const kinds = new Set(result.tiles).size;
  return { name: result.name, set: result.set, kinds, of: kinds + result.missing.length, yours: true, problem: null };
}
