// The words of the page in five languages: `locales/<language>.json`, with the plural forms of CLDR.

/** The languages there are, each in its own words. */
export const LANGUAGES = {
  en: "English",
  es: "Español",
  pl: "Polski",
  "sr-Latn": "Srpski (latinica)",
  "sr-Cyrl": "Српски (ћирилица)",
};
const STORED = "language";
const PLURAL = /\{(\w+), plural, ((?:\w+ \{[^{}]*\}\s*)+)\}/g;
const FORM = /(\w+) \{([^{}]*)\}/g;
const PARAM = /\{(\w+)\}/g;

let texts = /** @type {Record<string, string>} */ ({});
let plurals = new Intl.PluralRules("en");
let current = "en";

/** The language in use. */
export function language() {
  return current;
}

/** Return the catalogue for a tag, or null. @param {string | null | undefined} tag */
export function findLanguage(tag) {
  const wanted = (tag ?? "").replace("_", "-").toLowerCase();
  const known = Object.keys(LANGUAGES);
  const cyrillic = wanted === "sr" || wanted === "sr-rs" ? "sr-Cyrl" : undefined;
  return known.find((code) => code.toLowerCase() === wanted) ?? cyrillic
    ?? known.find((code) => wanted && code.split("-")[0].toLowerCase() === wanted.split("-")[0]) ?? null;
}

/** Load the words: those of the address, else those chosen before, else `fallback`, else the browser's. */
export async function useLanguage(fallback = "") {
  const asked = new URLSearchParams(location.search).get("lang");
  const wishes = [asked, localStorage.getItem(STORED), fallback, ...navigator.languages, "en"];
  await load(/** @type {string} */ (wishes.map(findLanguage).find(Boolean)));
}

/** @param {string} code */
async function load(code) {
  const answer = await fetch(`/static/locales/${code}.json`);
  texts = await answer.json();
  current = code;
  plurals = new Intl.PluralRules(code);
  document.documentElement.lang = code;
  document.documentElement.dir = new Intl.Locale(code).getTextInfo?.().direction ?? "ltr";
  translate(document);
}

/** Choose a language for good and begin the page anew in it. @param {string} code */
export function chooseLanguage(code) {
  localStorage.setItem(STORED, code);
  const address = new URL(location.href);
  address.searchParams.delete("lang");
  location.replace(address);
  if (address.href === location.href) location.reload();
}

/** Return a text with its parameters filled in. @param {string} key @param {Record<string, any>} [params] */
export function t(key, params = {}) {
  return counted(texts[key] ?? key, params).replace(PARAM, (_, name) => String(params[name] ?? "?"));
}

/** Return the text of one of a family of codes; a code without one is shown as plain words. */
export function tf(/** @type {string} */ family, /** @type {string} */ code, params = {}) {
  const key = `${family}.${code}`;
  return key in texts ? t(key, params) : String(code).replaceAll("_", " ");
}

/** Return whether a family has a text for a code. @param {string} family @param {string} code */
export function has(family, code) {
  return `${family}.${code}` in texts;
}

/** Return a text as nodes, with elements in the place of its parameters. @param {string} key */
export function rich(key, /** @type {Record<string, any>} */ parts = {}) {
  const text = counted(texts[key] ?? key, parts);
  return text.split(/(\{\w+\})/).filter(Boolean).map((piece) => {
    const name = /^\{(\w+)\}$/.exec(piece)?.[1];
    return name ? parts[name] ?? "?" : document.createTextNode(piece);
  });
}

/** @param {string} text @param {Record<string, any>} params */
function counted(text, params) {
  return text.replace(PLURAL, (_, name, forms) => {
    const known = Object.fromEntries([...forms.matchAll(FORM)].map((form) => [form[1], form[2]]));
    const n = Number(params[name]);
    return (known[plurals.select(n)] ?? known.other ?? "").replaceAll("#", new Intl.NumberFormat(current).format(n));
  });
}

/** Put the words into the elements that name them: `data-t` their text, `data-t-label`, `-title`, `-hint` the rest. */
export function translate(/** @type {ParentNode} */ root) {
  for (const found of root.querySelectorAll("[data-t]")) found.textContent = t(found.dataset.t);
  for (const found of root.querySelectorAll("[data-t-label]")) found.setAttribute("aria-label", t(found.dataset.tLabel));
  for (const found of root.querySelectorAll("[data-t-title]")) found.title = t(found.dataset.tTitle);
  for (const found of root.querySelectorAll("[data-t-hint]")) found.placeholder = t(found.dataset.tHint);
}

/** Make a select of the languages, and follow what is chosen. @param {HTMLSelectElement} select */
export function languageSelect(select) {
  for (const [code, name] of Object.entries(LANGUAGES)) {
    const option = new Option(name, code, false, code === current);
    option.lang = code;
    select.append(option);
  }
  select.addEventListener("change", () => chooseLanguage(select.value));
}
