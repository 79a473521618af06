/** Thousands of machines as one picture, with a field to find one by name. */
import { el } from "../element";
import { look } from "../../../src/elements/verdicts";
import type { Cell } from "./cells";

const GAP = 1;
const MANY = 1500;

/** Cells for a fleet: drawn, since thousands of elements would make every change slow. */
export class HeatMap {
  private readonly canvas = el("canvas", { role: "img" });
  private readonly hint = el("output", { class: "muted" });
  private readonly names = el("datalist", { id: "machine-names" });
  readonly element: HTMLElement;
  private cells: Cell[] = [];
  private selected: string | undefined;

  constructor(private readonly choose: (name: string | undefined) => void) {
    const find = el("input", { id: "find-machine", type: "search", list: "machine-names", placeholder: "name", autocomplete: "off" });
    find.addEventListener("input", () => this.suggest(find.value));
    this.element = el(
      "div",
      { class: "heat-map" },
      this.canvas,
      el("div", { class: "bar" }, el("label", { for: "find-machine" }, "Find a machine"), find, this.names, this.hint),
    );
    this.canvas.addEventListener("click", (event) => this.choose(this.at(event)?.name));
    this.canvas.addEventListener("pointermove", (event) => {
      const cell = this.at(event);
      this.hint.value = cell ? `${cell.name}: ${look(cell.verdict).label}` : "";
    });
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  /** Shows machines. */
  show(cells: Cell[], selected: string | undefined): void {
    this.cells = cells;
    this.selected = selected;
    this.draw();
  }

  /** Draws everything anew, in the colours of the theme. */
  draw(): void {
    const width = this.element.clientWidth;
    if (width === 0 || this.cells.length === 0) return;
    const columns = this.columns(width);
    const scale = devicePixelRatio;
    const height = Math.ceil(this.cells.length / columns) * this.pitch;
    this.canvas.width = width * scale;
    this.canvas.height = height * scale;
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.canvas.setAttribute("aria-label", `${this.cells.length} machines, one cell each, marked by verdict`);
    const context = this.canvas.getContext("2d");
    if (!context) return;
    context.scale(scale, scale);
    const colours = new Map<string, string>();
    // One path per verdict: thousands of strokes of their own would block the page.
    const signs = new Map<Cell["verdict"], Path2D>();
    this.cells.forEach(({ name, verdict }, i) => {
      let fill = colours.get(verdict);
      if (fill === undefined) colours.set(verdict, (fill = colour(verdict)));
      const [x, y] = [(i % columns) * this.pitch, Math.floor(i / columns) * this.pitch];
      context.fillStyle = fill;
      context.fillRect(x, y, this.pitch - GAP, this.pitch - GAP);
      let path = signs.get(verdict);
      if (!path) signs.set(verdict, (path = new Path2D()));
      sign(path, verdict, x + (this.pitch - GAP) / 2, y + (this.pitch - GAP) / 2, (this.pitch - GAP) * 0.28);
      if (name === this.selected) {
        context.strokeStyle = colour("text");
        context.lineWidth = 2;
        context.strokeRect(x, y, this.pitch - GAP, this.pitch - GAP);
      }
    });
    context.lineWidth = 1.3;
    for (const [verdict, path] of signs) {
      context.strokeStyle = verdict === "waiting" ? "#241a00" : "#ffffff";
      context.stroke(path);
    }
  }

  /** From one cell to the next. */
  private get pitch(): number {
    return this.cells.length > MANY ? 10 : 14;
  }

  private columns(width: number): number {
    return Math.max(1, Math.floor(width / this.pitch));
  }

  private at(event: MouseEvent): Cell | undefined {
    const columns = this.columns(this.element.clientWidth);
    const column = Math.floor(event.offsetX / this.pitch);
    return column < columns ? this.cells[Math.floor(event.offsetY / this.pitch) * columns + column] : undefined;
  }

  private suggest(text: string): void {
    const found = text === "" ? [] : this.cells.filter(({ name }) => name.includes(text)).slice(0, 20);
    this.names.replaceChildren(...found.map(({ name, verdict }) => el("option", { value: name }, look(verdict).label)));
    this.hint.value =
      text === ""
        ? ""
        : found.length === 0
          ? "none has this name"
          : found.length === 1
            ? `${found[0]?.name}: ${look(found[0]?.verdict ?? "").label}`
            : "several";
    const exact = this.cells.find(({ name }) => name === text) ?? (found.length === 1 ? found[0] : undefined);
    if (exact) this.choose(exact.name);
  }
}

/** The sign of a verdict, as strokes: the same that the legend shows, so that nothing depends on colours. */
function sign(path: Path2D, verdict: Cell["verdict"], x: number, y: number, size: number): void {
  switch (verdict) {
    case "unhealthy":
      path.moveTo(x - size, y - size);
      path.lineTo(x + size, y + size);
      path.moveTo(x + size, y - size);
      path.lineTo(x - size, y + size);
      break;
    case "waiting":
      path.moveTo(x + size, y);
      path.arc(x, y, size, 0, 2 * Math.PI);
      path.moveTo(x, y - size);
      path.lineTo(x, y);
      path.lineTo(x + size, y);
      break;
    case "notEvaluated":
      path.moveTo(x - size * 0.7, y - size / 3);
      path.arc(x, y - size / 3, size * 0.7, Math.PI, Math.PI / 2);
      path.lineTo(x, y + size);
      break;
    case "healthy":
      path.moveTo(x - size, y);
      path.lineTo(x - size / 3, y + size * 0.8);
      path.lineTo(x + size, y - size);
      break;
    case "skipped":
      path.moveTo(x - size, y);
      path.lineTo(x + size, y);
      break;
  }
}

/** The colour of this name in the page's theme. */
function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim() || "#888888";
}
