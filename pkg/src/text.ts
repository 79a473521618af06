import { PolicyError } from "./error.js";

/** Plain data as JSON text; text as it is. `what` is what an error calls it. */
export function jsonText(value: object | string, what: string): string {
  if (typeof value === "string") {
    return value;
  }
  if (typeof value !== "object" || value === null) {
    throw new PolicyError(`${what}: expected an object, found ${String(value)}`, what);
  }
  try {
    return JSON.stringify(value);
  } catch (failure) {
    throw new PolicyError(`${what}: expected plain data, found an object that JSON can't hold: ${String(failure)}`, what);
  }
}
