/** An evaluation in, what a page can show of it out: lists cut short, machines in columns. */
import type { Change, Evaluation, Explanation, MachineEvaluation, OwnerAction } from "capi-policy";
import { VERDICTS } from "capi-policy/summaries";
import type { Decision, MachineColumns } from "../protocol";

const ACTIONS = 10;
const FLIPS = 25;

/** What goes into a decision beside the evaluation. */
export interface Details {
  version: number;
  outdated: string | undefined;
  machine: string | undefined;
  flips: Change[] | undefined;
  milliseconds: number;
}

/** Cuts an evaluation down; `explained` is the same evaluation with explanations, where there is one. */
export function decision(evaluation: Evaluation, explained: Evaluation | undefined, details: Details): Decision {
  const { machines, explanations: _explanations, actions = [], events = [], ownerActions = [], ...rest } = evaluation;
  const { targets, ...status } = evaluation.status as { targets?: string[] };
  const of = (name: string): Explanation[] | undefined => explained?.explanations?.filter(({ machine = "" }) => machine === name);
  const own = explained && (of("") ?? []);
  return {
    version: details.version,
    ...(details.outdated !== undefined && { outdated: details.outdated }),
    evaluation: {
      ...rest,
      status: targets
        ? { ...status, targets: targets.length <= 12 ? targets : [...targets.slice(0, 12), `… ${targets.length - 12} more`] }
        : status,
      actions: actions.slice(0, ACTIONS),
      ownerActions: ownerActions.map(shortened),
      events: events.slice(0, ACTIONS),
    },
    actionCount: actions.length,
    eventCount: events.length,
    ...(own && { explanations: own }),
    ...(machines && { machines: columns(machines) }),
    ...chosen(
      details.machine,
      machines?.find(({ name }) => name === details.machine),
      of,
      evaluation,
    ),
    ...(details.flips && { flips: { changes: details.flips.slice(0, FLIPS), count: details.flips.length } }),
    milliseconds: details.milliseconds,
  };
}

function chosen(
  name: string | undefined,
  evaluation: MachineEvaluation | undefined,
  of: (name: string) => Explanation[] | undefined,
  whole: Evaluation,
): Pick<Decision, "machine"> {
  const explanations = name === undefined ? undefined : of(name);
  const conditions = evaluation?.conditions ?? whole.machineConditions?.find((machine) => machine.name === name)?.conditions;
  if (name === undefined || (!conditions && !explanations?.length)) return {};
  return { machine: { name, conditions: conditions ?? [], ...(evaluation && { evaluation }), ...(explanations && { explanations }) } };
}

function columns(machines: MachineEvaluation[]): MachineColumns {
  const seconds = (moment: string | undefined): number => (moment === undefined ? Number.NaN : Date.parse(moment) / 1000);
  return {
    names: machines.map(({ name }) => name).join("\n"),
    verdicts: Uint8Array.from(machines, ({ verdict }) => VERDICTS.indexOf(verdict)),
    deadlines: Float64Array.from(machines, ({ deadline }) => seconds(deadline)),
  };
}

/** An owner may choose between thousands of machines. */
function shortened({ steps = [], machines = [], candidates = [], ...rest }: OwnerAction): OwnerAction {
  return { ...rest, steps: steps.slice(0, ACTIONS), machines: machines.slice(0, ACTIONS), candidates: candidates.slice(0, ACTIONS) };
}
