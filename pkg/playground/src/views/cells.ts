/** Every machine as a coloured cell: buttons one can walk through with the arrow keys. */
import { look, type VERDICTS } from "../../../src/elements/verdicts";
import { el } from "../element";

/** A machine to show. */
export interface Cell {
  name: string;
  verdict: (typeof VERDICTS)[number];
}

/** Cells for a health check of ordinary size. */
export class Cells {
  readonly element = el("div", { class: "cells", role: "listbox", "aria-label": "Machines", tabindex: -1 });
  private cells: Cell[] = [];
  private selected: string | undefined;

  constructor(private readonly choose: (name: string | undefined) => void) {
    this.element.addEventListener("keydown", (event) => this.move(event));
  }

  /** Shows machines; only what differs is touched. */
  show(cells: Cell[], selected: string | undefined): void {
    const same = cells.length === this.cells.length && cells.every(({ name }, i) => name === this.cells[i]?.name);
    if (!same) this.element.replaceChildren(...cells.map(({ name }) => this.option(name)));
    cells.forEach(({ name, verdict }, i) => {
      const option = this.element.children[i] as HTMLElement;
      if (option.dataset["verdict"] !== verdict) {
        option.dataset["verdict"] = verdict;
        option.className = `cell ${verdict}`;
        option.textContent = look(verdict).sign;
        option.setAttribute("aria-label", `${name}: ${look(verdict).label}`);
        option.title = `${name}: ${look(verdict).label}`;
      }
      option.setAttribute("aria-selected", String(name === selected));
      option.tabIndex = name === selected || (i === 0 && !cells.some((cell) => cell.name === selected)) ? 0 : -1;
    });
    this.cells = cells;
    this.selected = selected;
  }

  private option(name: string): HTMLElement {
    return el("div", {
      role: "option",
      "data-key": `cell-${name}`,
      "data-name": name,
      click: () => this.choose(name === this.selected ? undefined : name),
    });
  }

  private move(event: KeyboardEvent): void {
    const options = [...this.element.children] as HTMLElement[];
    const at = options.indexOf(document.activeElement as HTMLElement);
    if (at < 0) return;
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -at, End: options.length - 1 - at }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      options[Math.max(0, Math.min(options.length - 1, at + step))]?.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      options[at]?.click();
    }
  }
}
