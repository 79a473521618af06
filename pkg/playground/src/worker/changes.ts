/** Two evaluations of one object in, what differs out: the words of a forecast, for two versions of a health check. */
import type { Change, Condition, Evaluation } from "capi-policy";

/** What `after` says differently. */
export function changes(before: Evaluation, after: Evaluation): Change[] {
  const list = conditionChanges(after.name, before.conditions, after.conditions);
  const old = new Map(before.machines?.map((machine) => [machine.name, machine]));
  for (const machine of after.machines ?? []) {
    const was = old.get(machine.name);
    if (was?.verdict !== machine.verdict) {
      list.push(change(machine.name, "verdict", was?.verdict, machine.verdict, machine.row));
    }
    list.push(...conditionChanges(machine.name, was?.conditions ?? [], machine.conditions));
  }
  const [had, have] = [before, after].map(({ actions = [] }) => new Map(actions.map((action) => [JSON.stringify(action), action])));
  for (const [key, action] of have ?? []) if (!had?.has(key)) list.push(change(subject(action, after), "action", undefined, action.type));
  for (const [key, action] of had ?? []) if (!have?.has(key)) list.push(change(subject(action, after), "action", action.type, undefined));
  return list;
}

function subject(action: object, evaluation: Evaluation): string {
  if ("machine" in action) return String(action.machine);
  return "name" in action ? String(action.name) : evaluation.name;
}

function conditionChanges(name: string, before: Condition[], after: Condition[]): Change[] {
  const list: Change[] = [];
  for (const condition of after) {
    const was = before.find(({ type }) => type === condition.type);
    if (!was || line(was) !== line(condition)) {
      list.push(change(name, condition.type, was && line(was), line(condition), condition.row));
    }
  }
  for (const was of before) {
    if (!after.some(({ type }) => type === was.type)) list.push(change(name, was.type, line(was), undefined));
  }
  return list;
}

function line({ status, reason, message }: Condition): string {
  return message === "" ? `${status} ${reason}` : `${status} ${reason}: ${message}`;
}

function change(subject: string, what: string, from: string | undefined, to: string | undefined, row?: string): Change {
  return { subject, what, ...(from !== undefined && { from }), ...(to !== undefined && { to }), ...(row !== undefined && { row }) };
}
