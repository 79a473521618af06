/** Examples to choose from: stories first, then one for every row of every table. */
import type { Catalog, Table } from "capi-policy";
import { byId, el } from "../element";
import type { Example } from "../examples";

export class Gallery {
  private readonly dialog = byId<HTMLDialogElement>("gallery");
  private readonly list = el("div", { class: "examples" });
  private readonly filter = el("input", {
    id: "gallery-filter",
    type: "search",
    placeholder: "zone, MHC-RA-1, deleting …",
    autocomplete: "off",
  });

  private drawn: string | undefined;

  constructor(
    private readonly examples: Example[],
    private readonly catalog: Catalog,
    private readonly choose: (example: Example) => void,
  ) {
    this.dialog.replaceChildren(
      el(
        "header",
        {},
        el("h2", { id: "gallery-title" }, "Gallery"),
        el("label", { for: "gallery-filter", class: "hidden" }, "Find an example"),
        this.filter,
        el("button", { type: "button", class: "quiet", "aria-label": "Close the gallery", click: () => this.dialog.close() }, "✕"),
      ),
      this.list,
    );
    this.filter.addEventListener("input", () => this.draw());
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
  }

  open(): void {
    this.filter.value = "";
    this.draw();
    this.dialog.showModal();
    this.filter.focus();
  }

  private draw(): void {
    const wanted = this.filter.value.trim().toLowerCase();
    if (wanted === this.drawn) return;
    this.drawn = wanted;
    const matches = ({ title, note, row = "" }: Example): boolean => `${title} ${note} ${row}`.toLowerCase().includes(wanted);
    const stories = this.examples.filter((example) => example.story && matches(example));
    const sections: HTMLElement[] = [];
    if (stories.length > 0)
      sections.push(
        el(
          "section",
          { "aria-label": "Stories" },
          el("h3", {}, "Stories"),
          el("ul", { class: "stories" }, ...stories.map((story) => this.item(story, story.title, ""))),
        ),
      );
    for (const table of this.catalog.tables) {
      const items = this.rows(table, matches, wanted);
      if (items.length > 0)
        sections.push(
          el(
            "section",
            { "aria-label": `${table.kind} ${table.condition}` },
            el("h3", {}, `${table.kind} `, el("strong", {}, table.condition)),
            el("ul", { class: "cases" }, ...items),
          ),
        );
    }
    const more = this.examples.filter((example) => !example.story && example.row === undefined && matches(example));
    if (more.length > 0)
      sections.push(
        el(
          "section",
          { "aria-label": "More" },
          el("h3", {}, "More"),
          el("ul", { class: "cases" }, ...more.map((each) => this.item(each, each.title, ""))),
        ),
      );
    this.list.replaceChildren(...(sections.length > 0 ? sections : [el("p", { class: "muted" }, "No example says that.")]));
  }

  private rows(table: Table, matches: (example: Example) => boolean, wanted: string): HTMLElement[] {
    return table.rows.flatMap((row) => {
      const ofTable = `${table.kind} ${table.condition} ${row.when}`.toLowerCase().includes(wanted);
      return this.examples
        .filter((example) => !example.story && example.row === row.id && (ofTable || matches(example)))
        .map((example) => this.item(example, example.title, row.id));
    });
  }

  private item(example: Example, title: string, row: string): HTMLElement {
    const choose = (): void => {
      this.dialog.close();
      // The page is drawn without the gallery first; opening is work of its own.
      setTimeout(() => this.choose(example));
    };
    return el(
      "li",
      {},
      el(
        "button",
        { type: "button", class: "example", "data-example": example.id, click: choose },
        row !== "" && el("code", { class: "row-id" }, row),
        el("span", { class: "title" }, title),
        example.note !== title && el("span", { class: "muted" }, example.note),
      ),
    );
  }
}
