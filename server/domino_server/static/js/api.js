// Requests to the server, with the token of this page and errors that have a code.
import { has, t, tf } from "./i18n.js";

const BASE = "/api/v1";
let token = /** @type {string | null} */ (null);

/** What the server refused: `code` is stable, `message` is said to people. */
export class Refused extends Error {
  /** @param {number} status @param {any} problem */
  constructor(status, problem) {
    const code = problem?.code ?? (status ? `http_${status}` : "no_answer");
    super(has("problem", code) ? tf("problem", code, problem?.params) : problem?.detail ?? t("problem.no_answer"));
    this.status = status;
    this.code = code;
    this.params = problem?.params ?? {};
  }
}

/** The table of this page, from its address. */
export function tableId() {
  return decodeURIComponent(location.pathname.split("/")[2] ?? "");
}

/**
 * Take the token out of the address bar and keep it for this tab, under the page that it was meant for.
 * @param {string} page `admin` for the house's own, else the page and its table @param {boolean} [house] may use the house's
 */
export function takeToken(page, house = false) {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const given = fragment.get("token");
  if (given) {
    sessionStorage.setItem(`token:${page}`, given);
    history.replaceState(null, "", location.pathname + location.search);
  }
  token = sessionStorage.getItem(`token:${page}`) ?? (house ? sessionStorage.getItem("token:admin") : null);
  return token;
}

/** The token in use, if there is one. */
export function currentToken() {
  return token;
}

/** Forget a token that holds no longer, so that the page may at least look on. @param {string} page */
export function dropToken(page) {
  sessionStorage.removeItem(`token:${page}`);
  token = null;
}

/** Remember that the token of this page is the house's. */
export function keepAsHouse() {
  if (token) sessionStorage.setItem("token:admin", token);
}

/** Headers that say who asks. */
export function credentials() {
  return token ? { Authorization: `Bearer ${token}` } : {};
}

/** @param {string} path @param {RequestInit} [init] */
async function ask(path, init = {}) {
  let answer;
  try {
    answer = await fetch(BASE + path, { cache: "no-store", ...init, headers: { ...credentials(), ...init.headers } });
  } catch {
    throw new Refused(0, null);
  }
  if (!answer.ok) throw new Refused(answer.status, await answer.json().catch(() => null));
  return answer;
}

/** Read JSON. @param {string} path */
export async function get(path) {
  return (await ask(path)).json();
}

/** Read a picture or another file. @param {string} path @param {any} [body] sent as JSON if it is given */
export async function getBlob(path, body) {
  const init = body === undefined ? {} : json("POST", body);
  return (await ask(path, init)).blob();
}

/** Ask for something that goes on coming. @param {string} path @param {any} body sent as JSON @param {AbortSignal} signal ends it */
export async function getStream(path, body, signal) {
  return /** @type {ReadableStream<Uint8Array>} */ ((await ask(path, { ...json("POST", body), signal })).body);
}

/** Whether this tab holds the token of the house. */
export function holdsHouse() {
  return sessionStorage.getItem("token:admin") !== null;
}

/** Send something in the name of the house. @param {string} path @param {any} body */
export async function sendAsHouse(path, body) {
  const init = json("POST", body);
  return (await ask(path, { ...init, headers: { ...init.headers, Authorization: `Bearer ${sessionStorage.getItem("token:admin")}` } })).json();
}

/** Send JSON or a form. @param {string} path @param {any} [body] @param {string} [method] */
export async function send(path, body = {}, method = "POST") {
  const answer = await ask(path, body instanceof FormData ? { method, body } : json(method, body));
  return answer.status === 204 ? null : answer.json().catch(() => null);
}

/** @param {string} method @param {any} body */
function json(method, body) {
  return { method, body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
}
