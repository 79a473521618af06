/** Controls beside the document: change the health check and the profile, and see what flips. */
import { type Attributes, byId, el } from "../element";
import { type Controls, PROFILES, type WhatIf } from "../protocol";
import { replaceKeepingFocus } from "../../../src/elements/keep-focus";

/** What the controls ask for. */
export interface WhatIfEvents {
  changed: (whatIf: WhatIf) => void;
  /** Write it into the document. */
  applied: () => void;
}

export class WhatIfView {
  private controls: Controls | undefined;
  private whatIf: WhatIf = {};
  private drawn = "";

  constructor(private readonly events: WhatIfEvents) {}

  show(controls: Controls, whatIf: WhatIf): void {
    this.controls = controls;
    this.whatIf = whatIf;
    const drawn = JSON.stringify(controls);
    if (drawn !== this.drawn) this.draw(controls);
    this.drawn = drawn;
    this.refresh();
  }

  private set(change: WhatIf): void {
    this.whatIf = { ...this.whatIf, ...change };
    this.refresh();
    this.events.changed(this.whatIf);
  }

  private draw({ healthCheck }: Controls): void {
    const rules = el(
      "fieldset",
      { class: "switch" },
      el("legend", {}, "Profile"),
      ...PROFILES.map((value) =>
        el(
          "label",
          {},
          el("input", {
            type: "radio",
            name: "profile",
            value,
            "data-key": `profile-${value}`,
            change: () => this.set({ profile: value }),
          }),
          value,
        ),
      ),
    );
    replaceKeepingFocus(
      byId("what-if"),
      el(
        "div",
        { class: "bar" },
        el("h3", { id: "what-if-title" }, "What if"),
        el("span", { class: "space" }),
        el("button", { type: "button", id: "what-if-apply", "data-key": "apply", click: () => this.events.applied() }, "Apply to document"),
        el("button", { type: "button", id: "what-if-reset", "data-key": "reset", click: () => this.reset() }, "Reset"),
      ),
      rules,
      healthCheck
        ? this.healthCheck(healthCheck)
        : el("p", { class: "muted" }, "A MachineHealthCheck has its threshold, range and timeouts here too."),
    );
  }

  private healthCheck({ timeouts }: NonNullable<Controls["healthCheck"]>): HTMLElement {
    const field = (id: string, label: string, attributes: Attributes): HTMLElement =>
      el("div", { class: "field" }, el("label", { for: id }, label), el("input", { id, "data-key": id, ...attributes }));
    const text = (id: string, label: string, placeholder: string, set: (value: string) => WhatIf): HTMLElement =>
      field(id, label, {
        type: "text",
        placeholder,
        autocomplete: "off",
        spellcheck: "false",
        input: (event) => this.set(set((event.target as HTMLInputElement).value.trim())),
      });
    const seconds = (id: string, label: string, set: (value: number) => WhatIf): HTMLElement =>
      field(id, label, {
        type: "number",
        min: 0,
        step: 10,
        input: (event) => {
          const { valueAsNumber } = event.target as HTMLInputElement;
          if (!Number.isNaN(valueAsNumber)) this.set(set(Math.trunc(valueAsNumber)));
        },
      });
    return el(
      "div",
      { class: "fields" },
      text("limit", "Unhealthy at most", "100%", (limit) => ({ limit })),
      text("range", "Unhealthy in range", "[min-max]", (range) => ({ range })),
      seconds("startup", "Node startup (s)", (startup) => ({ startup })),
      ...timeouts.map(({ key, label }) =>
        seconds(`timeout-${key}`, `${label} (s)`, (value) => ({ timeouts: { ...this.whatIf.timeouts, [key]: value } })),
      ),
    );
  }

  private reset(): void {
    this.whatIf = {};
    this.refresh();
    this.events.changed(this.whatIf);
  }

  /** Puts values into the controls, except into the one that is being typed in. */
  private refresh(): void {
    const { controls, whatIf } = this;
    if (!controls) return;
    const changed = Object.keys(whatIf).length > 0;
    for (const id of ["what-if-apply", "what-if-reset"]) (byId(id) as HTMLButtonElement).disabled = !changed;
    byId("what-if").classList.toggle("changed", changed);
    const profile = whatIf.profile ?? controls.profile;
    for (const input of byId("what-if").querySelectorAll<HTMLInputElement>("input[name=profile]")) input.checked = input.value === profile;
    const { healthCheck } = controls;
    if (!healthCheck) return;
    put("limit", whatIf.limit ?? healthCheck.limit, whatIf.limit !== undefined);
    put("range", whatIf.range ?? healthCheck.range, whatIf.range !== undefined);
    put("startup", String(whatIf.startup ?? healthCheck.startup), whatIf.startup !== undefined);
    for (const { key, seconds } of healthCheck.timeouts) {
      const tried = whatIf.timeouts?.[key];
      put(`timeout-${key}`, String(tried ?? seconds), tried !== undefined);
    }
  }
}

function put(id: string, value: string, changed: boolean): void {
  const input = byId<HTMLInputElement>(id);
  if (document.activeElement !== input) input.value = value;
  input.classList.toggle("changed", changed);
}
