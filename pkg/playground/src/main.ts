/** The page: passes what people do to the worker, and what the worker finds to the views. */
import "../styles/page.css";
import "../styles/panels.css";
import "../styles/tables.css";
import "../styles/dialogs.css";
import type { Catalog } from "capi-policy";
import { Editor } from "./editor/editor";
import { byId, el } from "./element";
import type { Example } from "./examples";
import { startFiles } from "./files";
import { PolicyWorker } from "./policy-worker";
import type { Decision, DocumentView, Problem, Question, Replacement } from "./protocol";
import { readShared, type SharedView } from "./shared-view";
import { startTheme } from "./theme";
import { Entries } from "./views/entries";
import { showFlips } from "./views/flips";
import { showFollowUp } from "./views/follow-up";
import { Gallery } from "./views/gallery";
import { showHeadline } from "./views/headline";
import { HealthView } from "./views/health";
import { replaceKeepingFocus } from "./views/keep-focus";
import { ShareView } from "./views/share";
import { TimeView } from "./views/time";
import { WhatIfView } from "./views/what-if";

const FRESH: Question = { offset: 0, whatIf: {}, horizon: 0 };

class Page {
  private readonly worker = new PolicyWorker();
  private readonly editor: Editor;
  private readonly time: TimeView;
  private readonly health: HealthView;
  private readonly whatIf: WhatIfView;
  private question: Question = FRESH;
  private note = "";
  private version = 0;
  private entries: Entries | undefined;
  private gallery: Promise<Gallery> | undefined;
  private decision: Decision | undefined;
  private problems: Problem[] = [];

  constructor() {
    this.editor = new Editor(byId("editor"), {
      changed: (changes) => {
        this.setVersion(this.version + 1);
        this.worker.send({ type: "edit", changes: changes.toJSON(), version: this.version });
      },
      pasted: (text) => this.open({ ...FRESH }, text),
    });
    this.time = new TimeView({
      moved: (offset) => this.ask({ offset }),
      started: (start) => this.ask(start === undefined ? { start: undefined } : { start }),
      horizon: (horizon) => this.ask({ horizon }),
    });
    this.health = new HealthView((machine) => this.ask({ machine, row: undefined }));
    this.whatIf = new WhatIfView({
      changed: (whatIf) => this.ask({ whatIf }),
      applied: () => void this.worker.request({ what: "apply" }).then((json) => {
        const replacements = JSON.parse(json) as Replacement[];
        this.editor.change(replacements);
        // Objects as the API server serves them have no profile: there it stays a trial.
        const { profile } = this.question.whatIf;
        const written = replacements.some(({ insert }) => /^\s*"?profile"?:/m.test(insert));
        this.ask({ whatIf: profile === undefined || written ? {} : { profile } });
      }),
    });
    this.listen();
  }

  private listen(): void {
    const { worker } = this;
    worker.on("ready", ({ catalog }) => void this.begin(catalog));
    worker.on("failed", ({ message }) => this.showProblem(`The policy could not be loaded: ${message}`));
    worker.on("text", ({ text, first, last, version, large }) => {
      this.editor.receive(text, first, last, large);
      if (last) this.setVersion(version);
    });
    worker.on("reading", ({ part }) => this.showProblem(`Reading … ${Math.round(part * 100)}%`));
    worker.on("document", ({ document }) => this.showDocument(document));
    worker.on("problems", ({ version, problems }) => this.showProblems(version, problems));
    worker.on("decision", ({ decision }) => this.show(decision));
    worker.on("timeline", ({ timeline }) => this.time.show(timeline));
    byId<HTMLSelectElement>("subject").addEventListener("change", ({ target }) => this.ask({ object: (target as HTMLSelectElement).value, machine: undefined, row: undefined }));
    startFiles((text) => this.open({ ...FRESH }, text));
    startTheme(() => {
      this.time.draw();
      this.health.redraw();
    });
    addEventListener("hashchange", () => void this.restore());
  }

  private async begin(catalog: Catalog): Promise<void> {
    this.entries = new Entries(catalog);
    byId("version").replaceChildren(`capi-policy ${catalog.version} `, el("code", { title: `sha256:${POLICY_DIGEST}` }, `sha256:${POLICY_DIGEST.slice(0, 12)}`), ` · like Cluster API ${catalog.clusterApi.join(", ")}`);
    const share = new ShareView({
      link: () => this.link(),
      testCase: () => this.worker.request({ what: "testCase", note: this.note || "made in the playground", ...(this.question.row !== undefined && { row: this.question.row }) }),
      evaluation: () => this.worker.request({ what: "evaluation" }),
      timeline: () => this.time.drawing()?.outerHTML,
    });
    byId("open-share").addEventListener("click", () => share.open());
    byId("open-gallery").addEventListener("click", () => void this.openGallery(catalog));
    if (!(await this.restore())) {
      const { default: examples } = await import("virtual:gallery");
      const broken = location.hash.startsWith("#s=") && { note: "The link is broken: it holds no session. Here is an example instead." };
      if (examples[0]) this.openExample({ ...examples[0], ...broken });
    }
  }

  private async openGallery(catalog: Catalog): Promise<void> {
    this.gallery ??= import("virtual:gallery").then(({ default: examples }) => new Gallery(examples, catalog, (example) => this.openExample(example)));
    (await this.gallery).open();
  }

  private openExample({ note, row, text, machines }: Example): void {
    this.open({ ...FRESH, ...(row !== undefined && { row }) }, machines ?? text ?? "", note);
  }

  /** Opens a text, a file, or a fleet of so many machines. */
  private open(question: Question, what: string | Blob | number, note = ""): void {
    this.question = question;
    this.note = note;
    this.entries?.focusOn(question.row);
    byId("note").hidden = note === "";
    byId("note").replaceChildren(el("strong", {}, "Look at: "), note);
    this.time.restore(question.offset, question.horizon);
    this.worker.send({ type: "ask", question });
    this.editor.await();
    this.worker.send(typeof what === "number" ? { type: "openFleet", machines: what } : { type: "open", text: what });
  }

  /** Changes the question and asks again; undefined takes a part back. */
  private ask(change: { [Part in keyof Question]?: Question[Part] | undefined }): void {
    this.question = Object.fromEntries(Object.entries({ ...this.question, ...change }).filter(([, value]) => value !== undefined)) as unknown as Question;
    this.worker.send({ type: "ask", question: this.question });
  }

  private async link(): Promise<string> {
    const view: SharedView = { question: this.question, note: this.note };
    const packed = await this.worker.request({ what: "pack", view });
    history.replaceState(null, "", `#s=${packed}`);
    return location.href;
  }

  /** Opens what the address holds; false when it holds nothing. */
  private async restore(): Promise<boolean> {
    const packed = /^#s=([\w-]+)$/.exec(location.hash)?.[1];
    if (packed === undefined) return false;
    try {
      const { text, question, note } = readShared(await this.worker.request({ what: "unpack", packed }), FRESH);
      this.open(question, text, note);
      return true;
    } catch {
      return false;
    }
  }

  /** Which version of the document the editor shows; the page says so, for whoever drives it. */
  private setVersion(version: number): void {
    this.version = version;
    document.body.dataset["document"] = String(version);
  }

  private showDocument({ subjects, subjectCount, chosen, start, controls }: DocumentView): void {
    const label = ({ kind, namespace, name }: typeof chosen): string => `${kind} ${namespace ? `${namespace}/` : ""}${name}`;
    const options = subjects.some(({ id }) => id === chosen.id) ? subjects : [chosen, ...subjects];
    const select = byId<HTMLSelectElement>("subject");
    replaceKeepingFocus(select, ...options.map((subject) => el("option", { value: subject.id }, label(subject))),
      ...(subjectCount > subjects.length ? [el("option", { disabled: true }, `… ${subjectCount - subjects.length} more`)] : []));
    select.value = chosen.id;
    this.time.setStart(start);
    this.whatIf.show(controls, this.question.whatIf);
  }

  private showProblems(version: number, problems: Problem[]): void {
    if (version !== this.version) return;
    const was = this.problems.length > 0;
    this.problems = problems;
    this.editor.mark(problems);
    const [first] = problems;
    this.showProblem(first ? first.message : "", first);
    if (this.decision && was !== problems.length > 0) showHeadline(this.decision, problems.length > 0);
  }

  private showProblem(message: string, problem?: Problem): void {
    byId("problem").replaceChildren(
      problem ? el("button", { type: "button", class: "quiet", click: () => this.editor.goTo(problem.from) }, `Line ${problem.line}`) : "",
      message && el("span", {}, message),
    );
  }

  private show(decision: Decision): void {
    const { entries } = this;
    if (!entries) return;
    this.decision = decision;
    const { evaluation, explanations, milliseconds } = decision;
    document.body.dataset["decided"] = String(decision.version);
    showHeadline(decision, this.problems.length > 0);
    showFlips(decision);
    this.health.show(decision, entries);
    replaceKeepingFocus(byId("tables"), el("h3", { id: "tables-title" }, "Conditions, and the table that decided each"),
      ...entries.list({ conditions: evaluation.conditions, explanations, profile: evaluation.profile }, decision.machine === undefined));
    showFollowUp(decision);
    byId("timing").textContent = `decided in ${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;
  }
}

new Page();
