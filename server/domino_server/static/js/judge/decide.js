// The judge's ruling and what a player claimed: two small forms beside the evidence.
import { send } from "../api.js";
import { announce, byId, el, fill } from "../dom.js";
import { labelled, selectOf, tried } from "../dialogs.js";
import { moveForm } from "../console/move_form.js";
import { t, tf } from "../i18n.js";

const KINDS = ["let_stand", "correct", "replay", "penalty", "award"];
const WITH_POINTS = ["penalty", "award"];
const STORED = "judge";

export class Decide {
  /** @param {import("../model.js").Table} table @param {() => any} hand the hand in sight */
  constructor(table, hand) {
    this._table = table;
    this._hand = hand;
    this._entry = /** @type {any} */ (null);
    this._known = "";
    this._kind = selectOf(KINDS.map((name) => [name, tf("ruling", name)]), "let_stand", { id: "ruling-kind", onchange: () => this._more() });
    this._move = el("select", {});
    this._side = el("select", {});
    this._points = el("input", { type: "number", min: 1, max: 100000, value: 10, required: true });
    this._reason = el("input", { required: true, maxLength: 300 });
    this._by = el("input", { required: true, maxLength: 60, autocomplete: "name", value: localStorage.getItem(STORED) ?? "" });
    this._about = el("p", { class: "soft" });
    this._parts = el("div", { class: "fields" });
    this._player = el("select", {});
    this._called = el("input", { type: "number", min: 0, max: 10000, value: 0, required: true });
    this._build();
  }

  _build() {
    fill(byId("ruling"), el("h2", { textContent: t("ruling.title") }), el("form", { onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); this._rule(); } },
      this._about, labelled(t("ruling.kind"), this._kind), this._parts, labelled(t("action.note"), this._reason), labelled(t("ruling.by"), this._by),
      el("p", { class: "row end" }, el("button", { class: "main", textContent: t("judge.give") }))));
    fill(byId("claim"), el("details", {}, el("summary", { textContent: t("judge.claim") }),
      el("form", { onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); this._claim(); } },
        el("p", { class: "soft", textContent: t("judge.claim_help") }), labelled(t("move.player"), this._player), labelled(t("judge.called"), this._called),
        el("p", { class: "row end" }, el("button", { textContent: t("judge.note_claim") })))));
    this._more();
  }

  /** Take players, sides and moves of the hand. @param {any} state @param {any} hand */
  show(state, hand) {
    const known = JSON.stringify([state.seats, Object.keys(state.sides ?? {}), hand?.moves]);
    if (known === this._known) return;
    this._known = known;
    const chosen = [this._move.value, this._side.value, this._player.value];
    fill(this._side, ...Object.keys(state.sides ?? {}).map((name) => new Option(name, name)));
    fill(this._player, ...(state.seats ?? []).map((/** @type {string} */ name) => new Option(name, name)));
    fill(this._move, ...(hand?.moves ?? []).map((/** @type {any} */ move) => new Option(`${move.number}. ${move.player}: ${move.words}`, move.number)).toReversed());
    [this._move, this._side, this._player].forEach((select, at) => { if (chosen[at]) select.value = chosen[at]; });
  }

  /** Rule on what is in sight. @param {any} entry */
  about(entry) {
    this._entry = entry;
    const key = entry?.alert?.key;
    this._about.textContent = key ? t("judge.ruling_on", { title: entry.alert.title }) : "";
    if (this._moveOf(entry)) this._move.value = String(this._moveOf(entry));
    const side = Object.entries(this._table.state?.sides ?? {}).find(([, players]) => /** @type {any} */ (players).includes(entry?.player))?.[0];
    if (side) this._side.value = side;
  }

  /** The move that an entry is about, if it is in the record. @param {any} entry @returns {number | undefined} */
  _moveOf(entry) {
    return entry?.moves?.find((/** @type {number} */ number) => number <= (this._hand()?.moves.length ?? 0));
  }

  /** Put the cursor into the form. */
  focus() {
    this._kind.focus();
  }

  _more() {
    const points = WITH_POINTS.includes(this._kind.value);
    fill(this._parts, points && labelled(t("score.side"), this._side), points && labelled(t("action.points"), this._points),
      this._kind.value === "correct" && labelled(t("ruling.move"), this._move));
  }

  async _rule() {
    const kind = this._kind.value;
    const ruling = { op: "ruling", kind, reason: this._reason.value.trim(), by: this._by.value.trim(), hand: this._hand()?.hand ?? null,
      alert: this._entry?.alert?.key ?? null,
      ...(WITH_POINTS.includes(kind) ? { side: this._side.value, points: Number(this._points.value) } : {}) };
    localStorage.setItem(STORED, ruling.by);
    if (kind === "correct") {
      const move = this._hand()?.moves.find((/** @type {any} */ one) => String(one.number) === this._move.value);
      const told = move && (await moveForm(this._table.state, move, move.number, true));
      if (!told) return;
      Object.assign(ruling, { move: move.number, text: told.text });
    } else if (this._moveOf(this._entry)) {
      Object.assign(ruling, { move: this._moveOf(this._entry) });
    }
    if (!(await tried(() => send(`${this._table.path}/commands`, ruling)))) return;
    this._reason.value = "";
    announce(t("judge.ruled"));
  }

  async _claim() {
    const claim = { op: "claim", count: Number(this._called.value), player: this._player.value };
    if (await tried(() => send(`${this._table.path}/commands`, claim))) announce(t("judge.noted"));
  }
}
