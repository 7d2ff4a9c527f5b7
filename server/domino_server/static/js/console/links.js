// Links to hand out: the phone as a camera, the overlay, each player's own page, other keepers; each with its QR code.
import { get, getBlob, holdsHouse, send, sendAsHouse } from "../api.js";
import { announce, el, fill } from "../dom.js";
import { labelled, openDialog, selectOf, tick, tried } from "../dialogs.js";
import { LANGUAGES, language, t, tf } from "../i18n.js";
import { showBlob } from "../pictures.js";
import { PARTS, THEMES, partsOf, themeOf } from "../themes.js";

/** @param {import("../model.js").Table} table */
export function openLinks(table) {
  const state = table.state;
  return openDialog(t("links.title"), () => [
    loopback() && el("p", { class: "note", textContent: t("links.loopback") }),
    part(t("links.camera"), t("links.camera_help"), secretLink(t("links.make_camera"), async () => {
      const made = await send(`${table.path}/tokens`, { role: "camera", label: "phone" });
      return withToken(`/camera/${state.id}`, made);
    })),
    part(t("links.overlay"), t("links.overlay_help"), overlayLink(state)),
    part(t("links.players"), state.tournament ? t("links.players_off") : t("links.players_help"),
      state.tournament ? null : state.seats.map((/** @type {string} */ seat) => secretLink(t("links.make_player", { player: seat }), async () => {
        const made = await send(`${table.path}/players/${encodeURIComponent(seat)}/link`);
        return withToken(`/player/${state.id}`, made);
      }))),
    part(t("links.helpers"), t("links.helpers_help"), [
      ...(holdsHouse() ? ["keeper", "judge"] : ["keeper"]).map((role) => secretLink(tf("links.make", role), async () => {
        const made = await (role === "judge" ? sendAsHouse : send)(`${table.path}/tokens`, { role, label: role });
        return withToken(`/${role === "judge" ? "judge" : "table"}/${state.id}`, made);
      })), givenOut(table)]),
  ], "wide");
}

/** @param {string} title @param {string} help @param {any} content */
function part(title, help, content) {
  return el("section", { class: "link-part" }, el("h3", { textContent: title }), el("p", { class: "soft", textContent: help }), content);
}

/** @param {string} path @param {any} made what the server answered: `link`, or a token */
function withToken(path, made) {
  return made.link ? new URL(made.link, location.origin).href : `${location.origin}${path}#token=${made.token ?? made.secret}`;
}

/** A link that is made when it is wanted, because it is a secret. @param {string} words @param {() => Promise<string>} make */
function secretLink(words, make) {
  const place = el("div", { class: "link" });
  const button = el("button", { type: "button", textContent: words, onclick: async () => {
    const link = await tried(make);
    if (link) fill(place, linkView(link));
  } });
  place.append(button);
  return place;
}

/** A link with its QR code and a button that copies it. @param {string} link */
export function linkView(link) {
  const code = el("img", { class: "qr", alt: t("links.qr"), hidden: true });
  getBlob("/qr", { text: link }).then((blob) => { showBlob(code, blob); code.hidden = false; }, () => code.remove());
  const text = el("input", { readOnly: true, value: link, "aria-label": t("links.link"), onfocus: (/** @type {any} */ event) => event.target.select() });
  const copy = el("button", { type: "button", textContent: t("links.copy"), onclick: async () => {
    await navigator.clipboard?.writeText(link).then(() => announce(t("links.copied")), () => text.select());
    if (!navigator.clipboard) text.select();
  } });
  return el("div", { class: "link-view" }, code, el("div", { class: "link-text" }, text,
    el("p", { class: "row" }, copy, el("a", { class: "button", href: link, target: "_blank", rel: "noopener", textContent: t("links.open") }))));
}

/** @param {any} state */
function overlayLink(state) {
  const place = el("div");
  const theme = selectOf(Object.keys(THEMES).map((name) => [name, tf("theme", name)]), "scoreboard", { onchange: () => choose() });
  const lang = selectOf(Object.entries(LANGUAGES), state.language ?? language());
  const delay = el("input", { type: "number", min: 0, max: 3600, step: 0.5, value: state.delay_s ?? 0 });
  const shown = PARTS.map((name) => tick(tf("show", name), false, { value: name }));
  const boxes = shown.map((label) => label.querySelector("input"));
  const usual = () => partsOf(THEMES[themeOf(theme.value)]);
  const choose = () => { for (const box of boxes) box.checked = usual().has(box.value); };
  choose();
  const update = () => {
    const address = new URL(`/overlay/${state.id}`, location.origin);
    address.searchParams.set("theme", theme.value);
    address.searchParams.set("lang", lang.value);
    if (delay.value !== "" && Number(delay.value) !== (state.delay_s ?? 0)) address.searchParams.set("delay", delay.value);
    if (boxes.some((box) => box.checked !== usual().has(box.value))) {
      address.searchParams.set("show", boxes.filter((box) => box.checked).map((box) => box.value).join(","));
    }
    fill(place, linkView(address.href));
  };
  const form = el("div", { class: "fields", onchange: update }, labelled(t("links.theme"), theme), labelled(t("page.language"), lang),
    labelled(t("links.delay"), delay), el("fieldset", { class: "ticks" }, el("legend", { textContent: t("links.show") }), shown));
  update();
  return [form, place];
}

/** What was given out, to be taken back. @param {import("../model.js").Table} table */
function givenOut(table) {
  const place = el("ul", { class: "tokens" });
  const show = async () => {
    const tokens = await get(`${table.path}/tokens`).catch(() => []);
    fill(place, ...tokens.filter((/** @type {any} */ token) => !token.revoked_at).map((/** @type {any} */ token) => el("li", {},
      el("span", { textContent: `${tf("role", token.role)}${token.seat === null ? "" : `: ${table.state.seats[token.seat] ?? token.seat}`} · ${new Date(token.created_at).toLocaleString(language(), { dateStyle: "short", timeStyle: "short" })}` }),
      (token.role !== "judge" || holdsHouse()) && el("button", { type: "button", class: "quiet", textContent: t("links.revoke"), onclick: async () => {
        if (await tried(() => send(`${table.path}/tokens/${encodeURIComponent(token.id)}`, {}, "DELETE"))) await show();
      } }))));
  };
  show();
  return el("details", {}, el("summary", { textContent: t("links.given") }), place);
}

/** Whether a phone cannot reach this server. */
function loopback() {
  return ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
}
