import { PolicyError } from "./error.js";

let loaded = false;

/** The module is there. */
export function setLoaded(): void {
  loaded = true;
}

/** Calls the module, and throws what it refuses as a PolicyError. */
export function ask<Answer>(question: () => Answer): Answer {
  if (!loaded) {
    throw new Error("capi-policy is not loaded yet: `await init()` first");
  }
  try {
    return question();
  } catch (thrown) {
    throw PolicyError.from(thrown);
  }
}
