/** Every object of the document in one line. */
import { PolicyError } from "capi-policy";
import type { Summary } from "capi-policy/summaries";
import { summary } from "../summary";
import type { Candidate, Moment } from "./candidate";

/** How long the worker may be deaf to new messages, in milliseconds. */
const SLICE = 50;

/** Sums candidates up, in slices between which others may work; undefined when somebody asked to stop. */
export async function summaries(
  candidates: Candidate[],
  moment: Moment,
  pause: () => Promise<void>,
  stop: () => boolean,
): Promise<Summary[] | undefined> {
  const found: Summary[] = [];
  let last = performance.now();
  for (const candidate of candidates) {
    found.push(summed(candidate, moment));
    if (performance.now() - last < SLICE) continue;
    await pause();
    if (stop()) return undefined;
    last = performance.now();
  }
  return found;
}

function summed(candidate: Candidate, moment: Moment): Summary {
  try {
    return summary(candidate.evaluate(moment), candidate.outdated);
  } catch (failure) {
    if (!(failure instanceof PolicyError)) throw failure;
    const { kind, namespace, name } = candidate;
    return { kind, namespace, name, tone: "bad", words: "Can't be evaluated", because: failure.message };
  }
}
