/** One object of many, in one line. */
import type { Condition, Evaluation } from "../evaluation.js";
import { polarity, type Tone } from "./polarity.js";

/** What an overview shows of an object. */
export interface Summary {
  kind: string;
  namespace: string;
  name: string;
  /** How it is, the worst first. */
  tone: Tone;
  /** The same in words, as in `Wrong: Ready, NodeHealthy`. */
  words: string;
  /** Reason and message of the condition that says the most. */
  because: string;
  /** When time alone can next change its decision. */
  nextChange?: string;
}

/** From what has to be looked at to what is fine. */
export const TONES: readonly Tone[] = ["bad", "doubt", "progress", "good", "none"];

/** What tones are called, and their signs. */
export const TONE_WORDS: Record<Tone, { label: string; sign: string }> = {
  bad: { label: "wrong", sign: "✕" },
  doubt: { label: "unknown", sign: "?" },
  progress: { label: "in progress", sign: "↻" },
  good: { label: "fine", sign: "✓" },
  none: { label: "nothing to say", sign: "–" },
};

/** Sums an evaluation up. */
export function summarize(
  evaluation: Pick<Evaluation, "kind" | "namespace" | "name" | "conditions" | "threshold" | "error" | "nextChange">,
): Summary {
  const { kind, namespace, name, nextChange } = evaluation;
  return { kind, namespace, name, ...verdict(evaluation), ...(nextChange !== undefined && { nextChange }) };
}

/** For a health check whether remediation is allowed; else what is wrong, in doubt, in progress, or that all is well. */
function verdict({
  threshold,
  conditions,
  error,
}: Pick<Evaluation, "threshold" | "conditions" | "error">): Pick<Summary, "tone" | "words" | "because"> {
  if (error !== undefined) return { tone: "bad", words: "Error", because: error };
  if (threshold) {
    const because = threshold.counted === 0 ? "" : `${threshold.counted} of ${threshold.targets} machines not healthy`;
    if (!threshold.allowed) return { tone: "bad", words: "Remediation blocked", because };
    return { tone: threshold.unhealthy > 0 ? "progress" : "good", words: "Remediation allowed", because };
  }
  const of = (tone: Tone): Condition[] => conditions.filter((condition) => polarity(condition) === tone);
  const [wrong, doubtful, ongoing] = [of("bad"), of("doubt"), of("progress")];
  const parts = [
    ...(wrong.length > 0 ? [`Wrong: ${listed(wrong)}`] : []),
    ...(doubtful.length > 0 ? [`Unknown: ${listed(doubtful)}`] : []),
    ...(ongoing.length > 0 ? [`In progress: ${listed(ongoing)}`] : []),
  ];
  const worst = mostTelling(wrong) ?? mostTelling(doubtful) ?? mostTelling(ongoing);
  const because = worst
    ? [worst.reason, worst.message]
        .filter(Boolean)
        .join(": ")
        .replaceAll(/\s*\n\s*/g, " ")
        .replaceAll(/(^|\s)\* /g, "$1")
    : "";
  if (!worst)
    return conditions.length === 0 ? { tone: "none", words: "No condition", because } : { tone: "good", words: "All is well", because };
  return { tone: polarity(worst), words: parts.join(" · "), because };
}

/** Summaries of other conditions say less than those they sum up. */
function mostTelling(conditions: Condition[]): Condition | undefined {
  return conditions.find(({ type }) => type !== "Available" && type !== "Ready") ?? conditions[0];
}

function listed(conditions: Condition[]): string {
  const types = conditions.map(({ type }) => type);
  return types.length > 4 ? `${types.slice(0, 3).join(", ")} and ${types.length - 3} more` : types.join(", ");
}
