// Elements made and found; the one live region through which the page speaks to screen readers.

const SVG = "http://www.w3.org/2000/svg";

/** Return the element with an id; a page that lacks it is broken. @param {string} id @returns {any} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/**
 * Make an element. Properties that are functions named `onclick` and so on listen, `class` and `data` mean what they
 * say, known properties are set and everything else is an attribute; null and false leave it out.
 * @param {string} tag @param {Record<string, any>} [props] @param {...any} children @returns {any}
 */
export function el(tag, props = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "class") made.className = value;
    else if (name === "data") Object.assign(made.dataset, value);
    else if (name in made && name !== "list" && name !== "form") made[name] = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** Make an SVG element. @param {string} tag @param {Record<string, any>} [attributes] @param {...any} children */
export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.flat().filter(Boolean));
  return made;
}

/** A name that a person wrote, in whatever script it runs. @param {string} name */
export function nameOf(name) {
  return el("bdi", { class: "name", textContent: name });
}

/** Say something to screen readers, and show it for a moment. @param {string} text @param {"calm"|"warn"} [tone] */
export function announce(text, tone = "calm") {
  let region = document.getElementById("says");
  if (!region) {
    region = el("div", { id: "says", class: "says", role: "status", "aria-live": "polite" });
    document.body.append(region);
  }
  const line = el("p", { textContent: text, data: { tone } });
  region.replaceChildren(line);
  setTimeout(() => line.remove(), tone === "warn" ? 9000 : 5000);
}

/** Put new children in a place, unless they are what is there: focus and selection stay. @param {any} place */
export function fill(place, ...children) {
  const next = children.flat().filter(Boolean);
  const now = [...place.childNodes];
  const same = next.length === now.length && next.every((node, i) => node.isEqualNode?.(now[i]));
  if (!same) place.replaceChildren(...next);
}
