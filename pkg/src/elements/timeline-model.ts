/** What a timeline draws of a forecast. */
import type { Condition } from "../evaluation.js";
import type { Change, Forecast } from "../forecast.js";

/** The future of one machine. */
export interface Lane {
  name: string;
  /** The verdict from each moment on; the first is that of the start. */
  verdicts: { at: number; verdict: string }[];
  /** Remediation that starts, in words after the name. */
  actions: { at: number; action: string }[];
  /** From when on it is unhealthy and may not be remediated. */
  blocked: number[];
}

/** The decisions to come. Times are seconds after the start. */
export interface Timeline {
  start: string;
  end: number;
  complete: boolean;
  moments: { at: number; summary: string[]; count: number }[];
  /** Whether remediation is allowed, from each moment on; empty for objects that are no health check. */
  allowed: { at: number; allowed: boolean }[];
  lanes: Lane[];
  laneCount: number;
}

const LANES = 200;
const LANES_OF_MANY = 60;
const SHORTEST = 600;

/** What starts a remediation, in words. */
const HANDED = "is handed to its owner";
const STARTS: Record<string, string> = { createRemediationRequest: "gets a remediation request", deleteMachine: "is deleted" };

/**
 * Cuts a forecast down: times become seconds after its start, machines that change come first. It ends where something last changes,
 * unless a `horizon` in seconds says otherwise.
 */
export function timeline({ now, until, moments, complete }: Forecast, horizon = 0): Timeline {
  const start = Date.parse(now.now);
  const after = (moment: string): number => Math.round((Date.parse(moment) - start) / 1000);
  const lanes = new Map<string, Lane>(
    now.machines?.map(({ name, verdict }) => [name, { name, verdicts: [{ at: 0, verdict }], actions: [], blocked: [] }]),
  );
  for (const action of now.actions ?? []) {
    const machine = "machine" in action ? action.machine : "name" in action ? action.name : "";
    if (action.type in STARTS) lanes.get(machine)?.actions.push({ at: 0, action: STARTS[action.type] ?? "" });
  }
  for (const { name, conditions } of now.machines ?? []) {
    if (conditions.some((condition) => isHandedOver(condition) && condition.lastTransitionTime === now.now))
      lanes.get(name)?.actions.push({ at: 0, action: HANDED });
  }
  const allowed = now.threshold ? [{ at: 0, allowed: now.threshold.allowed }] : [];
  const handed = new Set(now.machines?.filter(({ conditions }) => conditions.some(isHandedOver)).map(({ name }) => name));
  const summed: Timeline["moments"] = [];
  for (const { at, changes } of moments) {
    for (const change of changes) {
      const lane = lanes.get(change.subject);
      if (change.what === "verdict" && change.to !== undefined) lane?.verdicts.push({ at: after(at), verdict: change.to });
      if (startsRemediation(change)) lane?.actions.push({ at: after(at), action: begins(change) });
      const may = change.to?.startsWith("True") ?? false;
      if (change.what === "RemediationAllowed" && allowed.at(-1)?.allowed !== may) allowed.push({ at: after(at), allowed: may });
    }
    summed.push({ at: after(at), ...summary(changes, allowed.at(-1)?.allowed ?? true) });
  }
  for (const lane of lanes.values()) if (!handed.has(lane.name)) lane.blocked = blocked(lane, allowed);
  const last = after(moments.at(-1)?.at ?? now.now);
  const shown = [...lanes.values()].sort((a, b) => interest(a) - interest(b));
  return {
    start: now.now,
    end: horizon > 0 ? after(until) : Math.max(SHORTEST, Math.ceil((last * 1.15) / 60) * 60),
    complete,
    moments: summed,
    allowed,
    lanes: shown.slice(0, shown.length > LANES ? LANES_OF_MANY : LANES),
    laneCount: shown.length,
  };
}

/** When a machine that nobody takes care of yet starts to be unhealthy while remediation is not allowed. */
function blocked({ verdicts, actions }: Lane, allowed: Timeline["allowed"]): number[] {
  const moments = [...verdicts, ...allowed].map(({ at }) => at).sort((a, b) => a - b);
  const is = (at: number): boolean =>
    verdicts.findLast((from) => from.at <= at)?.verdict === "unhealthy" &&
    allowed.findLast((from) => from.at <= at)?.allowed === false &&
    !actions.some((action) => action.at <= at);
  return moments.filter((at, i) => is(at) && at !== moments[i - 1] && !(i > 0 && is(moments[i - 1] ?? 0)));
}

function isHandedOver({ type, status }: Condition): boolean {
  return type === "OwnerRemediated" && status === "False";
}

/** A machine is handed to its owner, gets a request, or is deleted. */
function startsRemediation({ what, to }: Change): boolean {
  return (what === "action" && to !== undefined && to in STARTS) || (what === "OwnerRemediated" && (to?.startsWith("False") ?? false));
}

/** The same in words after the name. */
function begins({ to }: Change): string {
  return STARTS[to ?? ""] ?? HANDED;
}

/** The sooner something happens, the more interesting; then what is not healthy. */
function interest({ verdicts, actions }: Lane): number {
  const next = Math.min(verdicts[1]?.at ?? Infinity, actions.find(({ at }) => at > 0)?.at ?? Infinity);
  if (next !== Infinity) return next;
  return verdicts[0]?.verdict === "healthy" ? 1e10 : 1e9;
}

/** The sentences worth reading: a verdict says what the machine's conditions repeat. */
function summary(changes: Change[], allowed: boolean): { summary: string[]; count: number } {
  const verdicts = new Set(changes.filter(({ what }) => what === "verdict").map(({ subject }) => subject));
  const starts = new Map(
    changes.filter((change) => startsRemediation(change) && verdicts.has(change.subject)).map((change) => [change.subject, begins(change)]),
  );
  const shown = changes.filter((change) => change.what === "verdict" || !(verdicts.has(change.subject) || sameStatus(change)));
  const sentences = (shown.length > 0 ? shown : changes).map((change) => {
    const start = change.what === "verdict" ? starts.get(change.subject) : undefined;
    return start === undefined ? sentence(change, allowed) : `${sentence(change, true)} and ${start}`;
  });
  return { summary: sentences.slice(0, 4), count: sentences.length };
}

/** Only the words of the condition change. */
function sameStatus({ from, to }: Change): boolean {
  return from !== undefined && to !== undefined && from.split(" ")[0] === to.split(" ")[0];
}

function sentence(change: Change, allowed: boolean): string {
  const { subject, what, from, to } = change;
  if (what === "verdict" && to === "unhealthy" && !allowed) return `${subject} turns unhealthy, remediation is blocked`;
  if (what === "verdict") return `${subject} turns ${to === "notEvaluated" ? "not evaluated" : to}`;
  if (startsRemediation(change)) return `${subject} ${begins(change)}`;
  if (what === "action") return to === undefined ? `${subject}: no ${from} any more` : `${subject}: ${to}`;
  if (what === "RemediationAllowed") return `remediation is ${to?.startsWith("True") ? "allowed" : "blocked"}`;
  if (reason(from) === reason(to)) return `${subject}: the message of ${what} changes`;
  return `${subject}: ${what} becomes ${reason(to) ?? "absent"}`;
}

/** Status and reason without the message. */
function reason(line: string | undefined): string | undefined {
  return line?.split(":")[0];
}
