// The overlay for browser sources: count, points and open ends; never a hand, never advice.
// @ts-check
import { follow, showCount } from "./table.js";

follow((status) => showCount(status.report), () => {});
