// What a person may say to the table: a pass, a draw, a call, a move put right, undo, the next hand.
import { send } from "../api.js";
import { announce, byId, el, fill } from "../dom.js";
import { confirmed, labelled, openDialog, pickName, selectOf, tried } from "../dialogs.js";
import { t, tf } from "../i18n.js";
import { kindsOf } from "../moves.js";
import { countHands } from "./hands.js";
import { moveForm } from "./move_form.js";
import { rule } from "./ruling.js";

/** Each action: its key, the kind of move, game or role that it needs, and whether it is one of the few that are always in sight. */
const PLAN = [
  ["pass", "p", "passes", true], ["draw", "d", "draws", true], ["declare", "e", "bingo", true],
  ["add_move", "a", "", true], ["undo", "u", "", true], ["redo", "r", "", true], ["count_hands", "h", "", true],
  ["next_hand", "n", "", true], ["opener", "o", "", false], ["claim", "c", "", false], ["adjust", "j", "", false], ["redeal", "g", "", false],
  ["new_match", "w", "", false], ["ruling", "k", "judge", true],
];

export class Actions {
  /** @param {import("../model.js").Table} table @param {import("../keys.js").Keys} keys @param {boolean} keeper */
  constructor(table, keys, keeper) {
    this._table = table;
    this._keeper = keeper;
    this._game = "";
    if (!keeper) return;
    for (const [name, key] of PLAN) {
      keys.on(/** @type {string} */ (key), tf("action", /** @type {string} */ (name)), () => { if (this._has(/** @type {string} */ (name))) this.act(/** @type {string} */ (name)); });
    }
    keys.on("Control+z", t("action.undo"), () => this.act("undo"));
    keys.on("Control+y", t("action.redo"), () => this.act("redo"));
  }

  /** @param {any} state */
  show(state) {
    if (!this._keeper) return;
    const now = `${state.game} ${this._table.role}`;
    if (now !== this._game) {
      this._game = now;
      const wanted = PLAN.filter(([name]) => this._has(/** @type {string} */ (name)));
      const more = el("details", { class: "more" }, el("summary", { textContent: t("action.more") }),
        el("div", { class: "actions" }, wanted.filter((entry) => !entry[3]).map((entry) => this._button(entry))));
      fill(byId("actions"), ...wanted.filter((entry) => entry[3]).map((entry) => this._button(entry)), this._table.role !== "judge" && more);
    }
    this._enable("undo", state.can_undo !== false);
    this._enable("redo", state.can_redo !== false);
  }

  /** @param {any[]} entry */
  _button([name, key, , always]) {
    return el("button", { type: "button", class: always ? "" : "quiet", data: { action: name }, "aria-keyshortcuts": key,
      onclick: () => this.act(name) }, tf("action", /** @type {string} */ (name)), el("kbd", { "aria-hidden": "true", textContent: key.toUpperCase() }));
  }

  /** @param {string} name @param {boolean} on */
  _enable(name, on) {
    const button = byId("actions").querySelector(`[data-action="${name}"]`);
    if (button) button.disabled = !on;
  }

  /** @param {string} name */
  _has(name) {
    const needs = PLAN.find((entry) => entry[0] === name)?.[2];
    const state = this._table.state;
    if ((this._table.role === "judge") !== (needs === "judge")) return false;
    return !needs || needs === "judge" || needs === state?.game || /** @type {string} */ (needs) in kindsOf(state?.game);
  }

  /** Do one of the actions. @param {string} name */
  async act(name) {
    const state = this._table.state ?? {};
    switch (name) {
      case "pass": case "draw": return this._byPlayer(name, name === "pass" ? t("action.who_passes") : t("action.who_draws"));
      case "declare": return this._declare();
      case "add_move": return this._move({ player: state.to_move ?? "" }, null);
      case "count_hands": return countHands(this._table);
      case "ruling": return rule(this._table);
      case "adjust": return this._adjust();
      case "claim": return this._claim();
      case "opener": {
        const player = await pickName(t("action.who_opens"), state.seats);
        return player && this.tell({ op: "opener", player });
      }
      case "new_match": return (await confirmed(t("action.sure_new_match"), t("action.new_match"))) && this.tell({ op: name });
      case "redeal": return (await confirmed(t("action.sure_redeal"), t("action.redeal"))) && this.tell({ op: name });
      default: return this.tell({ op: name });
    }
  }

  /** Send a command; says what was refused. @param {any} command */
  async tell(command) {
    return tried(() => send(`${this._table.path}/commands`, command));
  }

  /** @param {string} op @param {string} question */
  async _byPlayer(op, question) {
    const state = this._table.state;
    const player = state.to_move ?? (await pickName(question, state.seats));
    if (player && (await this.tell({ op, player }))) announce(op === "pass" ? t("action.passed", { player }) : t("action.drew", { player }));
  }

  async _declare() {
    const state = this._table.state;
    const told = await openDialog(t("action.declare"), (close) => {
      const player = selectOf(state.seats.map((/** @type {string} */ seat) => [seat, seat]), state.to_move ?? "");
      return [labelled(t("move.player"), player), el("div", { class: "picks numbers" }, [1, 2, 3, 4, 5, 6, 7].map((doubles) =>
        el("button", { type: "button", textContent: doubles, onclick: () => close({ player: player.value, doubles }) })))];
    });
    if (told) await this.tell({ op: "declare", ...told });
  }

  /** Note what a player calls for the last move. */
  async _claim() {
    const state = this._table.state;
    const told = await openDialog(t("judge.claim"), (close) => {
      const player = selectOf(state.seats.map((/** @type {string} */ seat) => [seat, seat]), state.moves?.at(-1)?.player ?? "");
      const count = el("input", { type: "number", min: 0, max: 10000, value: 0, required: true });
      return el("form", { onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        close({ player: player.value, count: Number(count.value) });
      } }, el("p", { class: "soft", textContent: t("judge.claim_help") }), labelled(t("move.player"), player), labelled(t("judge.called"), count),
        el("p", { class: "row end" }, el("button", { class: "main", textContent: t("judge.note_claim") })));
    });
    if (told && (await this.tell({ op: "claim", ...told }))) announce(t("judge.noted"));
  }

  async _adjust() {
    const state = this._table.state;
    const told = await openDialog(t("action.adjust"), (close) => {
      const side = selectOf(Object.keys(state.sides).map((name) => [name, name]));
      const points = el("input", { type: "number", value: "5", required: true });
      const note = el("input", { maxLength: 120 });
      return el("form", { onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        close({ side: side.value, points: Number(points.value), note: note.value });
      } }, labelled(t("score.side"), side), labelled(t("action.points"), points, t("action.points_help")), labelled(t("action.note"), note),
        el("p", { class: "row end" }, el("button", { class: "main", textContent: t("action.save") })));
    });
    if (told) await this.tell({ op: "adjust", ...told });
  }

  /** Put a move of the hand right. @param {any} move */
  correct(move) {
    return this._move(move, move.number);
  }

  /** @param {any} move @param {number | null} number */
  async _move(move, number) {
    const told = await moveForm(this._table.state, move, number);
    if (!told) return;
    await this.tell(number === null ? { op: "move", text: told.text } : { op: "correct", number, ...told });
  }
}
