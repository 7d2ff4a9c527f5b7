// Two pictures of the table on top of each other, the upper one swept aside; and the layout before and after.
import { getBlob } from "../api.js";
import { byId, fill } from "../dom.js";
import { language, t } from "../i18n.js";
import { showBlob } from "../pictures.js";
import { pictureOf } from "./evidence.js";
import { headOf } from "./strip.js";

const WIDTH = 1600;

export class Compare {
  /** @param {string} path of the table */
  constructor(path) {
    this._path = path;
    this._layouts = "";
    this._entries = /** @type {any[]} */ ([]);
    byId("swipe").addEventListener("input", () => this._sweep());
    for (const place of ["lower", "upper"]) byId(`${place}-entry`).addEventListener("change", () => this._load(place));
    this._sweep();
  }

  /** Offer the pictures of a hand. @param {any[]} entries */
  offer(entries) {
    this._entries = entries.filter((entry) => entry.frame);
    for (const place of ["lower", "upper"]) {
      const select = byId(`${place}-entry`);
      const chosen = select.value;
      fill(select, ...this._entries.map((entry) => new Option(`${headOf(entry)} · ${new Date(entry.at).toLocaleTimeString(language())}`, entry.seq)));
      select.value = chosen;
    }
  }

  /** Show an entry over what was seen before it. @param {any} entry */
  show(entry) {
    const upto = this._entries.filter((each) => each.seq <= entry.seq);
    const after = entry.frame ? entry : upto.at(-1);
    const before = upto.findLast((each) => each.seq < (after?.seq ?? 0) && each.frame !== after?.frame) ?? after;
    byId("lower-entry").value = before?.seq ?? "";
    byId("upper-entry").value = after?.seq ?? "";
    this._load("lower");
    this._load("upper");
  }

  /** @param {string} place */
  async _load(place) {
    const image = byId(place);
    const entry = this._entries.find((each) => String(each.seq) === byId(`${place}-entry`).value);
    image.dataset.name = entry?.frame ?? "";
    byId("no-frame").hidden = this._entries.length > 0;
    if (!entry) {
      image.hidden = true;
      return;
    }
    try {
      const url = await pictureOf(this._path, entry.frame, WIDTH);
      if (image.dataset.name !== entry.frame) return;
      image.src = url;
      image.alt = `${place === "lower" ? t("judge.before") : t("judge.after")}: ${headOf(entry)}`;
      image.hidden = false;
    } catch {
      image.hidden = true;
    }
  }

  _sweep() {
    const share = Number(byId("swipe").value);
    byId("upper").style.clipPath = `inset(0 0 0 ${share}%)`;
    byId("seam").style.insetInlineStart = `${share}%`;
    byId("swipe").setAttribute("aria-valuetext", t("judge.swept", { n: 100 - share }));
  }

  /** Draw the layout before and behind an entry. @param {number} hand @param {any} entry @param {any[]} entries @param {string} seen changes when the hand does */
  async layouts(hand, entry, entries, seen) {
    const upto = entries.filter((each) => each.seq <= entry.seq && each.holds && each.moves.length);
    const after = Math.max(0, ...upto.map((each) => each.moves[0]));
    const before = entry.holds ? after - 1 : after;
    const key = `${hand} ${before} ${after} ${seen}`;
    if (key === this._layouts) return;
    this._layouts = key;
    await Promise.all([["before", Math.max(0, before)], ["after", after]].map(async ([place, move]) => {
      const words = move ? t("judge.behind", { number: move }) : t("judge.at_start");
      const image = byId(`layout-${place}`);
      image.closest("figure").hidden = place === "before" && before === after;
      try {
        const blob = await getBlob(`${this._path}/judge/hands/${hand}/layout.svg?move=${move}&lang=${language()}`);
        if (this._layouts !== key) return;
        byId(`layout-${place}-said`).textContent = words;
        showBlob(image, blob);
        image.alt = words;
      } catch {
        image.removeAttribute("src");
      }
    }));
  }
}
