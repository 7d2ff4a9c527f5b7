// A stream of server-sent events that carries a token and comes back by itself. EventSource can send no header, and
// gives up for good when a proxy answers once with an error.
import { Refused, credentials } from "./api.js";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;
/** The server pings every 15 s: a line as quiet as this is dead. */
const DEAD_MS = 40_000;

/**
 * Follow a stream for as long as the page lives.
 * @param {string} path
 * @param {{event: (kind: string, data: any, id: string | null) => void, open: () => void,
 *   lost: (problem: Refused) => void}} to
 */
export async function follow(path, to) {
  let last = /** @type {string | null} */ (null);
  let wait = FIRST_WAIT_MS;
  for (;;) {
    try {
      await read(path, last, () => { wait = FIRST_WAIT_MS; to.open(); }, (kind, data, id) => {
        last = id ?? last;
        to.event(kind, data, id);
      });
      to.lost(new Refused(0, null));
    } catch (error) {
      to.lost(error instanceof Refused ? error : new Refused(0, null));
    }
    await pause(wait);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}

/** @param {string} path @param {string | null} last @param {() => void} opened @param {Function} event */
async function read(path, last, opened, event) {
  const stop = new AbortController();
  let watch = setTimeout(() => stop.abort(), DEAD_MS);
  try {
    const headers = { Accept: "text/event-stream", ...credentials(), ...(last ? { "Last-Event-ID": last } : {}) };
    const answer = await fetch(path, { headers, cache: "no-store", signal: stop.signal });
    if (!answer.ok || !answer.body) throw new Refused(answer.status, await answer.json().catch(() => null));
    opened();
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    const parse = parser(event);
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      clearTimeout(watch);
      watch = setTimeout(() => stop.abort(), DEAD_MS);
      parse(value);
    }
  } finally {
    clearTimeout(watch);
    stop.abort();
  }
}

/** Return what takes in pieces of a stream and tells each whole event. @param {Function} event */
function parser(event) {
  let rest = "";
  let fields = { event: "message", data: /** @type {string[]} */ ([]), id: null };
  return (/** @type {string} */ piece) => {
    const lines = (rest + piece).split(/\r\n|\n|\r/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "") {
        if (fields.data.length) event(fields.event, JSON.parse(fields.data.join("\n")), fields.id);
        fields = { event: "message", data: [], id: null };
        continue;
      }
      const [, name, value] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
      if (name === "data") fields.data.push(value);
      else if (name === "event" || name === "id") fields[name] = value;
    }
  };
}

/** @param {number} ms */
function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
