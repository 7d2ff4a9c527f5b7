// A WebSocket that says its token first, and comes back by itself.
import { Refused } from "./api.js";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;
/** Codes with which the server closes for good: a token that is not known or not enough. */
const REFUSED = { 4401: 401, 4403: 403, 4408: 408, 4429: 429 };

/**
 * Open a socket on the own server. @param {string} path @param {string} token
 * @param {(message: any) => void} heard each message, already read
 * @returns {{socket: WebSocket, ended: Promise<Refused>}} `ended` says how it ended
 */
export function openSocket(path, token, heard) {
  const socket = new WebSocket(path.replace(/^/, location.origin.replace(/^http/, "ws")));
  let problem = /** @type {any} */ (null);
  const ended = new Promise((resolve) => {
    socket.addEventListener("open", () => socket.send(JSON.stringify({ token })));
    socket.addEventListener("message", ({ data }) => {
      const message = JSON.parse(data);
      if (message.problem && message.id === undefined) problem = message.problem;
      else heard(message);
    });
    socket.addEventListener("close", ({ code }) => {
      const status = problem?.status ?? REFUSED[/** @type {4401} */ (code)] ?? 0;
      resolve(new Refused(status, problem));
    });
  });
  return { socket, ended };
}

/**
 * Follow a socket of events for as long as the page lives. @param {string} path @param {string} token
 * @param {{event: (kind: string, data: any, id: number | null) => void, open: (hello: any) => void,
 *   lost: (problem: Refused) => void}} to
 */
export async function followSocket(path, token, to) {
  let wait = FIRST_WAIT_MS;
  for (;;) {
    const { ended } = openSocket(path, token, (message) => {
      if (message.hello) {
        wait = FIRST_WAIT_MS;
        to.open(message.hello);
      } else if (message.event) {
        to.event(message.event, message.data, message.id ?? null);
      }
    });
    to.lost(await ended);
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}
