// Dialogs: the browser's own <dialog>, filled by who opens it; closing one is always possible without doing anything.
import { announce, el } from "./dom.js";
import { t } from "./i18n.js";

/**
 * Open a dialog. `build` gets a function that closes it with a value, which is what the promise gives; null if it was
 * left. @param {string} title @param {(close: (value?: any) => void, dialog: HTMLDialogElement) => any} build
 * @param {string} [kind] class for its looks @returns {Promise<any>}
 */
export function openDialog(title, build, kind = "") {
  return new Promise((resolve) => {
    let value = /** @type {any} */ (null);
    const leave = el("button", { type: "button", class: "quiet leave", textContent: "×", "aria-label": t("action.close") });
    const heading = el("h2", { textContent: title, id: `dialog-${document.querySelectorAll("dialog").length}` });
    const dialog = el("dialog", { class: kind, "aria-labelledby": heading.id }, el("header", {}, heading, leave));
    const close = (/** @type {any} */ result = null) => { value = result; dialog.close(); };
    leave.addEventListener("click", () => close());
    dialog.addEventListener("click", (/** @type {MouseEvent} */ event) => { if (event.target === dialog) close(); });
    dialog.addEventListener("close", () => { dialog.remove(); resolve(value); });
    dialog.append(el("div", { class: "body" }, build(close, dialog)));
    document.body.append(dialog);
    dialog.showModal();
    /** @type {HTMLElement | null} */ (dialog.querySelector("[autofocus]"))?.focus();
  });
}

/** Ask whether to go on. @param {string} question @param {string} yes @returns {Promise<boolean>} */
export async function confirmed(question, yes) {
  return Boolean(await openDialog(question, (close) => el("p", { class: "row end" },
    el("button", { type: "button", textContent: t("action.cancel"), onclick: () => close() }),
    el("button", { type: "button", class: "main", textContent: yes, autofocus: true, onclick: () => close(true) }))));
}

/** Let one of a few be picked. @param {string} title @param {string[]} names @returns {Promise<string | null>} */
export function pickName(title, names) {
  return openDialog(title, (close) => el("div", { class: "picks" }, names.map((name, at) => el("button", {
    type: "button", autofocus: at === 0, onclick: () => close(name) }, el("bdi", { textContent: name })))));
}

/** A labelled field. @param {string} label @param {any} field @param {string} [help] */
export function labelled(label, field, help = "") {
  return el("label", { class: "field" }, el("span", { textContent: label }), field,
    help && el("small", { textContent: help }));
}

/** A select. @param {Array<[string, string]>} choices value and words @param {string} [chosen] */
export function selectOf(choices, chosen = "", props = {}) {
  return el("select", props, choices.map(([value, words]) => new Option(words, value, false, value === chosen)));
}

/** A box to tick. @param {string} label @param {boolean} checked */
export function tick(label, checked, props = {}) {
  const box = el("input", { type: "checkbox", checked, ...props });
  return el("label", { class: "tick" }, box, el("span", { textContent: label }));
}

/** Do something with the server and say what it refused. @param {() => Promise<any>} work @returns {Promise<any>} */
export async function tried(work) {
  try {
    return (await work()) ?? true;
  } catch (error) {
    announce(/** @type {Error} */ (error).message, "warn");
    return null;
  }
}
