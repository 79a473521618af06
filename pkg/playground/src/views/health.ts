/** Machines that an object decides about: for a health check the threshold and every verdict, and one machine closely. */
import type { Evaluation } from "capi-policy";
import type { CapiConditions } from "capi-policy/elements";
import { replaceKeepingFocus } from "../../../src/elements/keep-focus";
import { look, VERDICTS } from "../../../src/elements/verdicts";
import { byId, el } from "../element";
import type { Decision } from "../protocol";
import { type Cell, Cells } from "./cells";
import { HeatMap } from "./heat-map";
import { machineDetails } from "./machine";

const FEW = 300;

export class HealthView {
  private readonly section = byId("health");
  private readonly threshold = el("capi-threshold");
  private readonly legend = el("p", { class: "legend" });
  private readonly machine = el("div");
  private readonly cells: Cells;
  private readonly map: HeatMap;

  constructor(private readonly choose: (name: string | undefined) => void) {
    this.cells = new Cells(choose);
    this.map = new HeatMap(choose);
    this.section.append(
      el("h3", { id: "health-title" }, "Machines"),
      this.threshold,
      this.legend,
      this.cells.element,
      this.map.element,
      this.machine,
    );
  }

  show(decision: Decision, entries: CapiConditions): void {
    const { evaluation, machines } = decision;
    const health = evaluation.kind === "MachineHealthCheck";
    const others = evaluation.machineConditions ?? [];
    this.section.hidden = !health && others.length === 0 && !decision.machine;
    replaceKeepingFocus(
      this.machine,
      machineDetails(decision, entries, () => this.choose(undefined)),
    );
    if (!health) return this.showNames(others, decision.machine?.name);
    this.threshold.threshold = evaluation.threshold;
    const names = machines && machines.names !== "" ? machines.names.split("\n") : [];
    const cells: Cell[] = names.map((name, i) => ({ name, verdict: VERDICTS[machines?.verdicts[i] ?? 0] ?? "notEvaluated" }));
    this.showLegend(cells, evaluation);
    const few = cells.length <= FEW;
    this.cells.element.hidden = !few || cells.length === 0;
    this.map.element.hidden = few;
    (few ? this.cells : this.map).show(cells, decision.machine?.name);
  }

  /** Machines without a verdict: a control plane says more about each of its own. */
  private showNames(machines: { name: string }[], chosen: string | undefined): void {
    this.threshold.threshold = undefined;
    this.cells.element.hidden = this.map.element.hidden = true;
    this.cells.show([], undefined);
    replaceKeepingFocus(
      this.legend,
      ...machines.map(({ name }) =>
        el(
          "button",
          {
            type: "button",
            "data-key": `machine-${name}`,
            "aria-pressed": String(name === chosen),
            click: () => this.choose(name === chosen ? undefined : name),
          },
          name,
        ),
      ),
    );
  }

  /** Draws again what does not follow the theme by itself. */
  redraw(): void {
    this.map.draw();
  }

  private showLegend(cells: Cell[], evaluation: Evaluation): void {
    const counts = VERDICTS.map((verdict) => [verdict, cells.filter((cell) => cell.verdict === verdict).length] as const);
    this.legend.replaceChildren(
      ...(cells.length === 0 ? [nobody(evaluation)] : []),
      ...counts
        .filter(([, count]) => count > 0)
        .map(([verdict, count]) =>
          el(
            "span",
            { "data-verdict": verdict, "data-count": count },
            el("span", { class: `cell ${verdict}`, "aria-hidden": "true" }, look(verdict).sign),
            ` ${count} ${look(verdict).label}`,
          ),
        ),
    );
  }
}

/** Why there is no machine to show: only a check that ran knows that it selects none. */
function nobody({ threshold, conditions, error }: Evaluation): string {
  if (threshold) return "No machine is selected.";
  if (error !== undefined) return "No machine was checked, because of the error above.";
  const paused = conditions.find(({ type }) => type === "Paused");
  if (paused?.status === "True") return "Paused: no machine is checked.";
  return "No machine is checked yet: Cluster API stores the condition Paused first, and checks the next time.";
}
