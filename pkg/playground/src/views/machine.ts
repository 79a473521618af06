/** One machine, looked at closely: what matched, since when, and until when it may. */
import type { MachineEvaluation, MatchedCheck } from "capi-policy";
import type { Decision } from "../protocol";
import type { CapiConditions } from "capi-policy/elements";
import { duration, readable } from "../../../src/elements/moments";
import { look } from "../../../src/elements/verdicts";
import { el } from "../element";

const CLOCKS: Record<string, string> = {
  machineCreated: "the machine was created",
  clusterInfrastructureReady: "the cluster's infrastructure became ready",
  controlPlaneInitialized: "the control plane was initialized",
  machineInfrastructureReady: "the machine's infrastructure became ready",
  conditionTransition: "the condition changed",
};

/** Draws the machine that was chosen; its conditions stand in an element that remembers which tables are open. */
export function machineDetails({ machine, evaluation }: Decision, entries: CapiConditions, close: () => void): HTMLElement | "" {
  if (!machine) return "";
  const { name, conditions, explanations } = machine;
  const healthCheck = evaluation.kind === "MachineHealthCheck";
  const { verdict = "passedOver", cause, checks: matched = [] } = machine.evaluation ?? {};
  Object.assign(entries, { conditions, explanations: explanations ?? [], profile: evaluation.profile });
  return el(
    "section",
    { class: "machine", "aria-label": `Machine ${name}`, "data-machine": name, "data-verdict": verdict },
    el(
      "header",
      {},
      el("h4", {}, healthCheck && el("span", { class: `cell ${verdict}`, "aria-hidden": "true" }, look(verdict).sign), ` ${name}`),
      healthCheck && el("span", { class: "chip" }, look(verdict).label),
      cause !== undefined && el("span", { class: "chip bad" }, cause),
      el("button", { type: "button", class: "quiet", "aria-label": `Close ${name}`, "data-key": "close-machine", click: close }, "✕"),
    ),
    machine.evaluation ? clock(machine.evaluation, evaluation.now) : "",
    matched.length > 0 && checks(matched, evaluation.now),
    entries,
  );
}

function clock({ since, clock, deadline }: MachineEvaluation, now: string): HTMLElement | "" {
  if (since === undefined || deadline === undefined) return "";
  const left = (Date.parse(deadline) - Date.parse(now)) / 1000;
  return el(
    "p",
    {},
    `Counts since ${readable(since)} (${CLOCKS[clock ?? ""] ?? clock}). `,
    left > 0
      ? `Turns unhealthy in ${duration(left)}, at ${readable(deadline)}.`
      : `Turned unhealthy ${duration(-left)} ago, at ${readable(deadline)}.`,
  );
}

function checks(checks: MatchedCheck[], now: string): HTMLElement {
  return el(
    "ul",
    { class: "checks" },
    ...checks.map(({ on, type, status, since, timeoutSeconds, expired }) => {
      const passed = (Date.parse(now) - Date.parse(since)) / 1000;
      const progress = el("progress", {
        max: Math.max(timeoutSeconds, 1),
        value: Math.min(passed, Math.max(timeoutSeconds, 1)),
        "aria-label": "Time used up",
      });
      const what = on === "startup" ? "No Node yet" : `${on} ${type}=${status}`;
      return el(
        "li",
        { class: expired ? "expired" : "" },
        el("span", {}, what),
        progress,
        el("span", { class: "muted" }, `${duration(passed)} of ${duration(timeoutSeconds)}${expired ? ": run out" : ""}`),
      );
    }),
  );
}
