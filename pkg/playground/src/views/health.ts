/** What only health checks have: the threshold, every machine, and one of them closely. */
import { type Decision, VERDICTS } from "../protocol";
import { byId, el } from "../element";
import { look } from "../verdicts";
import { type Cell, Cells } from "./cells";
import type { Entries } from "./entries";
import { HeatMap } from "./heat-map";
import { replaceKeepingFocus } from "./keep-focus";
import { machineDetails } from "./machine";
import { thresholdBar } from "./threshold";

const FEW = 300;

export class HealthView {
  private readonly section = byId("health");
  private readonly threshold = el("div");
  private readonly legend = el("p", { class: "legend" });
  private readonly machine = el("div");
  private readonly cells: Cells;
  private readonly map: HeatMap;

  constructor(private readonly choose: (name: string | undefined) => void) {
    this.cells = new Cells(choose);
    this.map = new HeatMap(choose);
    this.section.append(el("h3", { id: "health-title" }, "Machines"), this.threshold, this.legend, this.cells.element, this.map.element, this.machine);
  }

  show(decision: Decision, entries: Entries): void {
    const { evaluation, machines } = decision;
    const health = evaluation.kind === "MachineHealthCheck";
    this.section.hidden = !health;
    if (!health) return;
    this.threshold.replaceChildren(evaluation.threshold ? thresholdBar(evaluation.threshold) : "");
    const names = machines && machines.names !== "" ? machines.names.split("\n") : [];
    const cells: Cell[] = names.map((name, i) => ({ name, verdict: VERDICTS[machines?.verdicts[i] ?? 0] ?? "notEvaluated" }));
    this.showLegend(cells);
    const few = cells.length <= FEW;
    this.cells.element.hidden = !few || cells.length === 0;
    this.map.element.hidden = few;
    (few ? this.cells : this.map).show(cells, decision.machine?.name);
    replaceKeepingFocus(this.machine, machineDetails(decision, entries, () => this.choose(undefined)));
  }

  /** Draws again what does not follow the theme by itself. */
  redraw(): void {
    this.map.draw();
  }

  private showLegend(cells: Cell[]): void {
    const counts = VERDICTS.map((verdict) => [verdict, cells.filter((cell) => cell.verdict === verdict).length] as const);
    this.legend.replaceChildren(
      ...(cells.length === 0 ? ["No machine is selected."] : []),
      ...counts.filter(([, count]) => count > 0).map(([verdict, count]) =>
        el("span", { "data-verdict": verdict, "data-count": count }, el("span", { class: `cell ${verdict}`, "aria-hidden": "true" }, look(verdict).sign), ` ${count} ${look(verdict).label}`),
      ),
    );
  }
}
