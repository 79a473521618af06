/** What verdicts are called and how they are marked: never by colour alone. */

/** Verdicts in the order in which they are shown. */
export const VERDICTS = ["unhealthy", "waiting", "notEvaluated", "healthy", "skipped"] as const;

interface Look {
  label: string;
  sign: string;
}

const LOOKS: Record<string, Look> = {
  unhealthy: { label: "unhealthy", sign: "✕" },
  waiting: { label: "waiting", sign: "◔" },
  notEvaluated: { label: "not evaluated", sign: "?" },
  healthy: { label: "healthy", sign: "✓" },
  skipped: { label: "skipped", sign: "–" },
  passedOver: { label: "passed over", sign: "∅" },
};

/** How a verdict looks. */
export function look(verdict: string): Look {
  return LOOKS[verdict] ?? { label: verdict, sign: "•" };
}
