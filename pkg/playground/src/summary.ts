/** One object in one line, as the page says it. */
import type { Evaluation } from "capi-policy";
import { summarize, type Summary } from "capi-policy/summaries";

/** What is to be said about an object: that it was not read, where that is so. */
export function summary(evaluation: Evaluation, outdated: string | undefined): Summary {
  const summed = summarize(evaluation);
  if (outdated === undefined) return summed;
  return { ...summed, tone: "doubt", words: `Not read: ${outdated}`, because: "The policy reads v1beta2" };
}
