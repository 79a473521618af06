/** What the page calls verdicts and statuses, and how it marks them: never by colour alone. */

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

/** The colour of a verdict in this theme. */
export function colour(verdict: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${verdict}`).trim() || "#888888";
}
