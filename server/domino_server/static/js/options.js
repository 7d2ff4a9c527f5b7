// House options of a game as fields, each with what it means.
import { el } from "./dom.js";
import { selectOf } from "./dialogs.js";
import { has, language, t, tf } from "./i18n.js";

/** A text that the server has in several languages, or in one. @param {any} text */
export function spoken(text) {
  return typeof text === "string" ? text : text?.[language()] ?? text?.en ?? "";
}

/** Fields for the options of a game. @param {any} game @param {Record<string, string>} chosen */
export function optionFields(game, chosen) {
  return el("div", { class: "options" }, game.options.map((/** @type {any} */ option) => {
    const value = written(chosen[option.name] ?? option.default);
    const id = `option-${option.name}`;
    const field = option.choices?.length
      ? selectOf(option.choices.map((/** @type {any} */ choice) => [written(choice), choiceText(written(choice), option)]), value, { id })
      : typeof option.default === "boolean"
        ? selectOf([["true", t("option.yes")], ["false", t("option.no")]], value, { id })
        : el("input", { id, value, ...(typeof option.default === "number" ? { type: "number", min: option.minimum ?? 0 } : {}) });
    field.dataset.option = option.name;
    field.dataset.default = written(option.default);
    return el("div", { class: "option" }, el("label", { htmlFor: id, textContent: spoken(option.text) || option.name.replaceAll("_", " ") }), field);
  }));
}

/** What was chosen and is not the default. @param {HTMLElement} fields */
export function readOptions(fields) {
  const chosen = /** @type {Record<string, string>} */ ({});
  for (const field of /** @type {NodeListOf<any>} */ (fields.querySelectorAll("[data-option]"))) {
    if (field.value.trim() !== field.dataset.default) chosen[field.dataset.option] = field.value.trim();
  }
  return chosen;
}

/** @param {any} value */
function written(value) {
  return Array.isArray(value) ? value.join(",") : value === null ? "none" : String(value);
}

/** @param {string} value @param {any} option */
function choiceText(value, option) {
  const words = value === "true" ? t("option.yes") : value === "false" ? t("option.no") : has("value", value) ? tf("value", value) : value.replaceAll("_", " ");
  return value === written(option.default) ? t("option.usual", { value: words }) : words;
}
