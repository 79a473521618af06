/** A snapshot and what is tried out in, the changed snapshot out; and what the controls start from. */
import { type Fields, isFields } from "../document/gather";
import { type Candidate, get } from "./candidate";
import { type Controls, profileNamed, type Timeout, type WhatIf } from "../protocol";

const LISTS = [
  ["unhealthyNodeConditions", "Node"],
  ["unhealthyMachineConditions", "Machine"],
] as const;

/** Whether anything is tried out. */
export function isEmpty(whatIf: WhatIf): boolean {
  return edits(whatIf).length === 0 && whatIf.profile === undefined;
}

/** What the document says where the page has a control for it. */
export function controls(candidate: Candidate): Controls {
  const profile = profileNamed(candidate.profile) ?? "documented";
  if (candidate.kind !== "MachineHealthCheck") return { profile };
  const spec = get(candidate.object(), "spec");
  const trigger = (field: string): string => String(get(spec, "remediation", "triggerIf", field) ?? "");
  return {
    profile,
    healthCheck: {
      limit: trigger("unhealthyLessThanOrEqualTo"),
      range: trigger("unhealthyInRange"),
      startup: Number(get(spec, "checks", "nodeStartupTimeoutSeconds") ?? 600),
      timeouts: LISTS.flatMap(([list, on]) => conditions(spec, list).map((condition, i) => timeout(list, on, condition, i))),
    },
  };
}

function conditions(spec: unknown, list: string): Fields[] {
  const found = get(spec, "checks", list);
  return Array.isArray(found) ? found.filter(isFields) : [];
}

function timeout(list: string, on: string, condition: Fields, i: number): Timeout {
  return {
    key: `${list}/${i}`,
    label: `${on} ${String(condition["type"])}=${String(condition["status"])}`,
    seconds: Number(condition["timeoutSeconds"] ?? condition["unhealthyTimeoutSeconds"] ?? 0),
  };
}

/** One value of the health check to set. */
export interface Edit {
  path: (string | number)[];
  value: string | number | undefined;
}

/** What is tried out, as values of the health check. */
export function edits({ limit, range, startup, timeouts }: WhatIf): Edit[] {
  const list: Edit[] = [];
  const set = (value: Edit["value"], ...path: (string | number)[]): void => void list.push({ path: ["spec", ...path], value });
  if (limit !== undefined) set(limitValue(limit), "remediation", "triggerIf", "unhealthyLessThanOrEqualTo");
  if (range !== undefined) set(range === "" ? undefined : range, "remediation", "triggerIf", "unhealthyInRange");
  if (startup !== undefined) set(startup, "checks", "nodeStartupTimeoutSeconds");
  for (const [key, seconds] of Object.entries(timeouts ?? {})) {
    const [conditionList = "", i] = key.split("/");
    set(seconds, "checks", conditionList, Number(i), "timeoutSeconds");
  }
  return list;
}

/** A whole number as a number, anything else as it stands: a percentage, or what the policy will refuse. */
function limitValue(limit: string): string | number | undefined {
  if (limit === "") return undefined;
  return /^\d+$/.test(limit) ? Number(limit) : limit;
}

/** The health check with what is tried out. */
export function changed(healthCheck: Fields, whatIf: WhatIf): Fields {
  return edits(whatIf).reduce((object, { path, value }) => setIn(object, path, value) as Fields, healthCheck);
}

function setIn(target: unknown, path: (string | number)[], value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (typeof step === "number") {
    return Array.isArray(target) ? target.map((item: unknown, i) => (i === step ? setIn(item, rest, value) : item)) : target;
  }
  const fields = isFields(target) ? target : {};
  return { ...fields, [step]: setIn(fields[step], rest, value) };
}
