// The hand as a row of thumbnails: what happened, one after the other; filtered, jumped through, one of them chosen.
import { byId, el, fill, nameOf } from "../dom.js";
import { language, t, tf } from "../i18n.js";
import { tileOf } from "../tiles.js";
import { whenSeen } from "./evidence.js";

const THUMB = 320;
const FILTERS = {
  all: () => true,
  moves: (/** @type {any} */ entry) => ["move", "correction"].includes(entry.kind),
  question: (/** @type {any} */ entry) => ["question", "answer"].includes(entry.kind),
  alert: (/** @type {any} */ entry) => ["alert", "illegal", "finding", "claim"].includes(entry.kind),
  ruling: (/** @type {any} */ entry) => entry.kind === "ruling",
};

export class Strip {
  /** @param {string} path of the table @param {(entry: any) => void} chosen */
  constructor(path, chosen) {
    this._path = path;
    this._chosen = chosen;
    this._entries = /** @type {any[]} */ ([]);
    this.current = /** @type {any} */ (null);
    this._filter = byId("filter");
    this._jump = byId("jump");
    for (const name of Object.keys(FILTERS)) this._filter.append(new Option(tf("filter", name), name));
    this._filter.addEventListener("change", () => this._draw());
    this._jump.addEventListener("change", () => this.toMove(Number(this._jump.value)));
  }

  /** Show the entries of a hand; the chosen one stays, or the newest is. @param {any[]} entries @param {any[]} moves */
  show(entries, moves) {
    const newest = this._entries.at(-1)?.seq ?? 0;
    const followed = !this.current || this.current.seq === newest;
    this._entries = entries;
    fill(this._jump, new Option("–", ""), ...moves.map((move) => new Option(`${move.number}. ${move.player}: ${move.words}`, move.number)));
    const again = entries.find((entry) => entry.seq === this.current?.seq);
    this._draw();
    this.choose(followed || !again ? preferred(entries) : again);
  }

  /** The entries that are in sight. */
  get shown() {
    return this._entries.filter(FILTERS[/** @type {"all"} */ (this._filter.value)] ?? FILTERS.all);
  }

  /** Choose an entry. @param {any} entry */
  choose(entry) {
    if (!entry) return;
    this.current = entry;
    for (const button of byId("strip").querySelectorAll("button")) {
      const here = Number(button.dataset.seq) === entry.seq;
      if (here) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
      if (here) button.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
    this._jump.value = entry.holds ? String(entry.moves[0]) : "";
    this._chosen(entry);
  }

  /** Choose the next or the one before. @param {number} by */
  step(by) {
    const shown = this.shown;
    const at = shown.findIndex((entry) => entry.seq === this.current?.seq);
    const next = shown[Math.max(0, Math.min(shown.length - 1, at < 0 ? shown.length - 1 : at + by))];
    this.choose(next);
    const button = /** @type {any} */ (byId("strip").querySelector(`[data-seq="${next?.seq}"]`));
    if (byId("strip").contains(document.activeElement)) button?.focus();
  }

  /** Choose a move by its number. @param {number} number */
  toMove(number) {
    this.choose(this._entries.find((entry) => entry.holds && entry.moves[0] === number));
  }

  /** Choose the alert with a key. @param {string} key */
  toAlert(key) {
    this.choose(this._entries.findLast((entry) => entry.alert?.key === key));
  }

  _draw() {
    const shown = this.shown;
    byId("strip").replaceChildren(...shown.map((entry) => el("li", {}, this._button(entry))));
    byId("no-entries").hidden = shown.length > 0;
    if (this.current) byId("strip").querySelector(`[data-seq="${this.current.seq}"]`)?.setAttribute("aria-current", "true");
  }

  /** @param {any} entry */
  _button(entry) {
    const picture = entry.frame
      ? whenSeen(el("img", { class: "thumb", alt: "" }), this._path, entry.frame, THUMB)
      : el("span", { class: "thumb none", textContent: entry.purged ? t("judge.purged") : t("judge.told") });
    return el("button", { type: "button", class: "event", data: { seq: entry.seq, kind: entry.kind, holds: String(entry.holds || !entry.said) }, onclick: () => this.choose(entry) },
      picture, el("span", { class: "what" }, el("span", { class: "kind", textContent: headOf(entry) }),
        entry.player && nameOf(entry.player), el("span", { class: "said", textContent: sayOf(entry) }), entry.tile && tileOf(entry.tile)),
      el("time", { dateTime: entry.at, textContent: new Date(entry.at).toLocaleTimeString(language()) }));
  }
}

/** What a judge wants to see first: the last alert that nobody ruled on, else the last thing that happened. @param {any[]} entries */
function preferred(entries) {
  const ruled = new Set(entries.map((entry) => entry.ruling?.alert).filter(Boolean));
  const open = (/** @type {any} */ entry) => entry.alert && !entry.alert.withdrawn && !ruled.has(entry.alert.key);
  return entries.findLast(open) ?? entries.at(-1);
}

/** @param {any} entry */
export function headOf(entry) {
  const kind = tf("entry", entry.kind);
  return entry.kind === "move" ? t("judge.move", { number: entry.moves[0] }) : entry.alert?.title ? `${kind}: ${entry.alert.title}` : kind;
}

/** @param {any} entry */
export function sayOf(entry) {
  if (entry.kind === "claim") return t("judge.claimed", { n: entry.params.points, right: entry.params.right });
  if (entry.kind === "ruling") return `${tf("ruling", entry.code)}: ${entry.text}`;
  if (entry.kind === "correction") return entry.text || t("news.removed", { before: entry.before ?? "" });
  if (entry.kind === "undo" || entry.kind === "redo") return t("judge.until", { number: entry.moves[0] });
  if (entry.kind === "answer") return tf("choice", entry.text);
  return entry.text;
}
