// Where a table's pictures come from: a phone, a camera at this machine, a stream, a file; with a look through it.
import { get, getStream } from "./api.js";
import { el, fill } from "./dom.js";
import { labelled } from "./dialogs.js";
import { t } from "./i18n.js";
import { pictures } from "./mjpeg.js";
import { showBlob } from "./pictures.js";

/**
 * A field for the source; `stop` lets go of a camera that is looked through.
 * @param {string} source as it is now: empty, `push`, a number, a file or an address
 * @returns {{field: HTMLElement, value: () => string, stop: () => void}}
 */
export function cameraField(source) {
  const kind = source === "" ? "none" : source === "push" ? "phone" : "other";
  const address = el("input", { value: kind === "other" ? source : "", placeholder: "rtsp://…  ·  0  ·  game.mp4" });
  const other = labelled(t("camera_field.address"), address, t("camera_field.address_help"));
  const preview = el("figure", { class: "preview", hidden: true }, el("img", { alt: t("camera_field.preview") }));
  const said = el("p", { class: "soft", role: "status" });
  const look = el("button", { type: "button", textContent: t("camera_field.look"), onclick: () => lookThrough(address.value) });
  const found = el("div", { class: "picks" });
  const own = el("div", { class: "own-camera" }, found, other, look, said, preview);
  const choices = [["phone", t("camera_field.phone")], ["other", t("camera_field.other")], ["none", t("camera_field.none")]];
  const name = `camera-${Math.random()}`;
  const radios = choices.map(([value, words]) => el("label", { class: "tick" },
    el("input", { type: "radio", name, value, checked: value === kind, onchange: () => change(value) }), el("span", { textContent: words })));
  let chosen = kind;
  let looking = new AbortController();
  const lookThrough = (/** @type {string} */ source) => {
    looking.abort();
    looking = new AbortController();
    if (source.trim()) show(preview, said, source.trim(), looking.signal);
  };
  const change = (/** @type {string} */ value) => {
    chosen = value;
    looking.abort();
    preview.hidden = true;
    own.hidden = value !== "other";
    if (value === "other") listCameras(found, address, () => lookThrough(address.value));
  };
  change(kind);
  return {
    field: el("div", { class: "camera-field" }, radios, own),
    value: () => (chosen === "phone" ? "push" : chosen === "none" ? "" : address.value.trim()),
    stop: () => looking.abort(),
  };
}

/** @param {HTMLElement} place @param {any} address @param {() => void} chosen */
async function listCameras(place, address, chosen) {
  const cameras = await get("/cameras").catch(() => []);
  fill(place, ...cameras.map((/** @type {any} */ camera) => el("button", { type: "button", textContent: camera.label ?? camera.source, onclick: () => {
    address.value = camera.source;
    chosen();
  } })));
}

/** Show what a camera sees for as long as the page shows it. @param {any} figure @param {any} said @param {string} source @param {AbortSignal} signal */
async function show(figure, said, source, signal) {
  said.textContent = t("camera_field.looking");
  figure.hidden = true;
  try {
    for await (const picture of pictures(await getStream("/cameras/preview", { source }, signal))) {
      if (!figure.isConnected) return;
      showBlob(figure.querySelector("img"), picture);
      figure.hidden = false;
      said.textContent = "";
    }
  } catch (error) {
    if (!signal.aborted) said.textContent = /** @type {Error} */ (error).message;
  }
}
