// Your tiles: a set of one's own in three steps: which, pictures of it, use at this table.
import { Refused, get, getBlob, send } from "../api.js";
import { announce, byId, el, fill } from "../dom.js";
import { labelled, openDialog, selectOf, tried } from "../dialogs.js";
import { t, tf } from "../i18n.js";
import { tileOf } from "../tiles.js";

const STEPS = ["which", "pictures", "use"];
const SETS = ["double-six", "double-nine", "double-twelve", "chinese"];
const MOST_PICTURES = 12;

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
    if (this._opening) return;
    this._opening = true;
    const known = await tried(() => get("/tiles"));
    this._opening = false;
    if (!Array.isArray(known) || document.querySelector("dialog[open]")) return;
    this._known = known.filter((row) => !row.problem);
    this._set = SETS.includes(this._table.state.set) ? this._table.state.set : SETS[0];
    this._name = "";
    this._old = /** @type {any} */ (null);
    this._pictures = /** @type {Array<{file: File, seen: any}>} */ ([]);
    this._doubt = false;
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
    const old = selectOf([["", t("own.new")], ...this._known.map((row) => [row.name, t("own.known", row)])], this._old?.name ?? "");
    const set = selectOf(SETS.map((name) => [name, tf("own_set", name)]), this._set);
    const name = el("input", { value: this._old ? "" : this._name, maxLength: 40, required: true, autocomplete: "off" });
    const fresh = el("div", { class: "fields" }, labelled(t("own.set"), set), labelled(t("own.name"), name, t("own.name_help")));
    const chosen = () => this._known.find((row) => row.name === old.value) ?? null;
    const skip = el("button", { type: "button", textContent: t("own.use"), onclick: () => { keep(); this._show(2); } });
    const turn = () => {
      fresh.hidden = name.disabled = chosen() !== null;
      skip.hidden = chosen() === null;
    };
    const keep = () => {
      this._old = chosen();
      this._name = this._old?.name ?? name.value.trim();
      this._set = this._old?.set ?? set.value;
      this._result = null;
    };
    const next = (/** @type {Event} */ event) => {
      event.preventDefault();
      keep();
      this._show(1);
    };
    old.addEventListener("change", turn);
    turn();
    const now = this._table.state.config?.tiles;
    return [el("p", { class: "soft", textContent: t("own.help") }),
      now && el("p", { class: "row" }, el("span", { textContent: t("own.now", { name: now }) }),
        el("button", { type: "button", textContent: t("own.without"), onclick: () => this._apply(null) })),
      el("form", { onsubmit: next }, labelled(t("own.which"), old), fresh,
        el("p", { class: "row end" }, skip, el("button", { class: "main", textContent: t("setup.next") })))].filter(Boolean);
  }

  _take() {
    const said = el("p", { class: "check", role: "status" });
    const list = el("ul", { class: "zone-list" });
    const found = el("div", {});
    const file = el("input", { type: "file", accept: "image/*", multiple: true, onchange: () => { add([...file.files]); file.value = ""; } });
    const read = el("button", { type: "button", class: "main", textContent: t("own.read"), onclick: () => this._read(said, draw) });
    const next = el("button", { type: "button", textContent: t("setup.next"), onclick: () => this._show(2) });
    const draw = () => {
      fill(list, this._pictures.map((one) => this._picture(one, draw)));
      read.disabled = this._pictures.length === 0;
      next.hidden = this._result === null;
      fill(found, this._result && this._found());
    };
    const add = (/** @type {File[]} */ files) => {
      for (const one of files.slice(0, MOST_PICTURES - this._pictures.length)) {
        this._pictures.push({ file: one, seen: el("input", { autocomplete: "off", placeholder: "6-6, 6-5" }) });
      }
      said.textContent = "";
      draw();
    };
    const look = () => tried(async () => {
      const blob = await getBlob(`${this._table.path}/picture.jpg?kind=plain`);
      add([new File([blob], `${t("own.camera_picture")} ${this._pictures.length + 1}.jpg`, { type: blob.type })]);
    });
    draw();
    return [el("p", { class: "soft", textContent: t("own.pictures_help") }),
      el("div", { class: "row" }, el("label", { class: "button" }, file, el("span", { textContent: t("own.choose") })),
        el("button", { type: "button", textContent: t("own.camera"), onclick: look })),
      list, said, found,
      el("p", { class: "row end" }, el("button", { type: "button", textContent: t("setup.back"), onclick: () => this._show(0) }), read, next)];
  }

  /** @param {{file: File, seen: any}} one @param {() => void} draw */
  _picture(one, draw) {
    return el("li", {}, el("span", { textContent: one.file.name }),
      this._doubt && labelled(t("own.seen", { picture: one.file.name }), one.seen),
      el("button", { type: "button", class: "quiet", textContent: "×", "aria-label": t("own.drop", { picture: one.file.name }), onclick: () => {
        this._pictures.splice(this._pictures.indexOf(one), 1);
        draw();
        this._place.querySelector("input[type=file]").focus();
      } }));
  }

  /** Send the pictures; what is seen and what is missing is shown. @param {HTMLElement} said @param {() => void} draw */
  async _read(said, draw) {
    const form = new FormData();
    const seen = this._pictures.map((one) => one.seen.value.trim());
    for (const { file } of this._pictures) form.append("picture", file);
    if (this._doubt && seen.every(Boolean)) for (const text of seen) form.append("seen", text);
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
      this._result = result;
      this._old = known(result);
      this._known = [...this._known.filter((row) => row.name !== this._old.name), this._old];
      this._pictures = [];
      this._doubt = false;
      said.textContent = "";
    } catch (error) {
      if (place !== this._place) return;
      this._doubt ||= error instanceof Refused && error.code === "tiles_doubtful";
      said.textContent = /** @type {Error} */ (error).message;
    }
    for (const one of buttons) one.disabled = false;
    draw();
    place.querySelector(this._pictures.length ? "input[type=file]" : ".own-found")?.focus();
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
  return { name: result.name, set: result.set, kinds, of: kinds + result.missing.length };
}
