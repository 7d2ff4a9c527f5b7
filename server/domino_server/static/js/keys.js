// Keys of a page, the sheet that lists them, and the switch that turns them off for who speaks or types otherwise.
import { openDialog, tick } from "./dialogs.js";
import { el } from "./dom.js";
import { t } from "./i18n.js";

const STORED = "keys-off";

export class Keys {
  /** @param {() => boolean} [ready] whether the page knows enough for its keys to do something */
  constructor(ready = () => true) {
    this._ready = ready;
    this._all = /** @type {Array<{key: string, words: string, act: () => void}>} */ ([]);
    document.addEventListener("keydown", (event) => this._pressed(event));
  }

  /** Let a key do something. @param {string} key as `KeyboardEvent.key`, `Control+z` with Control @param {string} words */
  on(key, words, /** @type {() => void} */ act) {
    this._all.push({ key, words, act });
  }

  /** Show all keys. */
  sheet() {
    return openDialog(t("keys.title"), () => [
      el("dl", { class: "keys" }, this._all.filter((entry) => entry.words).map(({ key, words }) => el("div", {},
        el("dt", {}, key.split("+").map((part) => el("kbd", { textContent: part === "Control" ? t("keys.control") : part.toUpperCase() }))),
        el("dd", { textContent: words })))),
      el("p", { class: "soft", textContent: t("keys.tiles") }),
      tick(t("keys.on"), !localStorage.getItem(STORED), {
        onchange: (/** @type {any} */ event) => {
          if (event.target.checked) localStorage.removeItem(STORED);
          else localStorage.setItem(STORED, "1");
        },
      })], "wide");
  }

  _pressed(/** @type {KeyboardEvent} */ event) {
    const at = /** @type {HTMLElement} */ (event.target);
    if (event.defaultPrevented || event.altKey || event.metaKey || localStorage.getItem(STORED)) return;
    const within = at.closest("dialog"); // one that was just closed holds the focus for a moment: keys are the page's again
    if (within ? /** @type {HTMLDialogElement} */ (within).open : at.closest("input, textarea, select, [data-own-keys]")) return;
    const name = (event.ctrlKey ? "Control+" : "") + (event.key.length === 1 ? event.key.toLowerCase() : event.key);
    const entry = this._all.find(({ key }) => key.toLowerCase() === name.toLowerCase());
    if (!entry || !this._ready()) return;
    event.preventDefault();
    entry.act();
  }
}
