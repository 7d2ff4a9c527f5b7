// Pictures that were kept: fetched once with the token, and held, because a file called by its content never changes.
import { getBlob } from "../api.js";
import { language, t } from "../i18n.js";

const MOST_HELD = 400;
const GIB = 2 ** 30;
const held = /** @type {Map<string, Promise<string>>} */ (new Map());

/** The address of a picture in memory. @param {string} path of the table @param {string} name @param {number} [width] */
export function pictureOf(path, name, width) {
  const address = `${path}/judge/evidence/${name}${width ? `?width=${width}` : ""}`;
  let found = held.get(address);
  if (!found) {
    found = getBlob(address).then((blob) => URL.createObjectURL(blob));
    found.catch(() => held.delete(address));
    held.set(address, found);
    if (held.size > MOST_HELD) letGo();
  }
  return found;
}

function letGo() {
  const [oldest, address] = /** @type {[string, Promise<string>]} */ (held.entries().next().value);
  held.delete(oldest);
  address.then((url) => URL.revokeObjectURL(url), () => {});
}

/** Show a picture in an image as soon as it is in sight. @param {any} image @param {string} path @param {string} name @param {number} width */
export function whenSeen(image, path, name, width) {
  image.dataset.name = name;
  lazily.observe(image);
  wanted.set(image, () => pictureOf(path, name, width).then((url) => { image.src = url; }, () => { image.hidden = true; }));
  return image;
}

const wanted = /** @type {WeakMap<Element, () => void>} */ (new WeakMap());
const lazily = new IntersectionObserver((seen) => {
  for (const { isIntersecting, target } of seen) {
    if (!isIntersecting) continue;
    lazily.unobserve(target);
    wanted.get(target)?.();
  }
}, { rootMargin: "200px" });

/** Save a file that needs the token. @param {string} path @param {string} name */
export async function save(path, name) {
  const url = URL.createObjectURL(await getBlob(path));
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** How much is kept of a table, and how long, in words. @param {{size: number, most: number | null, days: number | null}} kept */
export function keptText(kept) {
  if (kept.most === 0) return t("judge.kept_none");
  const most = kept.most !== null && t("judge.kept_most", { most: sizeText(kept.most) });
  const days = kept.days !== null && t("judge.kept_days", { n: kept.days });
  return [t("judge.kept", { used: sizeText(kept.size) }), most, days].filter(Boolean).join(" · ");
}

/** @param {number} bytes */
function sizeText(bytes) {
  const [size, unit] = bytes < GIB ? [bytes / 2 ** 20, "MiB"] : [bytes / GIB, "GiB"];
  return `${new Intl.NumberFormat(language(), { maximumFractionDigits: 1 }).format(size)} ${unit}`;
}
