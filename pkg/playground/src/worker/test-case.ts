/** A snapshot and its evaluation in, a case for `tests/cases` out. */
import type { Condition, Evaluation } from "capi-policy";
import { stringify } from "yaml";
import type { Fields } from "../document/gather";

/** The case as YAML text, ready to be appended to a file of cases; `row` is named only where it still decides. */
export function testCase(note: string, row: string | undefined, snapshot: Fields, evaluation: Evaluation): string {
  const decides = [...evaluation.conditions, ...(evaluation.explanations ?? [])].some((each) => each.row === row);
  const { explain: _explain, ...input } = snapshot;
  const want: Fields = { conditions: evaluation.conditions.map(wanted) };
  if (evaluation.machines) {
    want["machines"] = evaluation.machines.map(({ name, verdict, row, conditions }) => ({
      name,
      verdict,
      row,
      conditions: conditions.map(wanted),
    }));
  }
  if (evaluation.requeueAfterSeconds !== undefined) want["requeueAfterSeconds"] = evaluation.requeueAfterSeconds;
  const cases = [{ note, ...(row !== undefined && decides && { row }), input, want }];
  return stringify({ cases }, { lineWidth: 120, version: "1.1", aliasDuplicateObjects: false });
}

function wanted({ type, status, reason, message }: Condition): Fields {
  return { type, status, reason, message };
}
