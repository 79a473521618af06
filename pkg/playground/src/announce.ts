/** What a screen reader says: at most once a second, and always the latest. */
import { byId } from "./element";

const PAUSE = 1000;
let waiting: string | undefined;
let quietUntil = 0;

/** Says a sentence, as soon as the last one is a second old. */
export function announce(sentence: string): void {
  if (waiting === undefined) setTimeout(speak, Math.max(0, quietUntil - performance.now()));
  waiting = sentence;
}

function speak(): void {
  const region = byId("announcement");
  if (waiting !== undefined && region.textContent !== waiting) {
    region.textContent = waiting;
    quietUntil = performance.now() + PAUSE;
  }
  waiting = undefined;
}
