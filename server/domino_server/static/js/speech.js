// Spoken announcements of what is committed. What is corrected before it was said is never said.
import { language } from "./i18n.js";

const STORED = "speech";
/** A correction may follow a move at once: so long nothing is said. */
const PATIENCE_MS = 600;
let waiting = /** @type {Array<{text: string, number: number | null}>} */ ([]);
let timer = 0;

/** Whether the browser can speak at all. */
export function canSpeak() {
  return "speechSynthesis" in window;
}

/** Whether announcements are on; they are off until somebody wants them. */
export function speaks() {
  return canSpeak() && localStorage.getItem(STORED) === "on";
}

/** @param {boolean} on */
export function setSpeech(on) {
  localStorage.setItem(STORED, on ? "on" : "off");
  if (!on) speechSynthesis.cancel();
}

/** Say a committed event, soon. @param {string} text @param {number | null} number of the move it tells of */
export function say(text, number = null) {
  if (!speaks() || !text) return;
  if (number !== null) waiting = waiting.filter((line) => line.number !== number);
  waiting.push({ text, number });
  clearTimeout(timer);
  timer = setTimeout(speakNow, PATIENCE_MS);
}

function speakNow() {
  const text = waiting.map((line) => line.text).join(" ");
  waiting = [];
  const line = new SpeechSynthesisUtterance(text);
  line.lang = language();
  const voices = speechSynthesis.getVoices();
  line.voice = voices.find((v) => v.lang.toLowerCase().startsWith(language().slice(0, 2))) ?? null;
  speechSynthesis.speak(line);
}
