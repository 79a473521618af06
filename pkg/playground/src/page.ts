/** Passes what people do to the worker, and what the worker finds to the views. */
import type { Catalog } from "capi-policy";
import { enter, newDraft, place } from "./address";
import type { CapiConditions, CapiOverview, Summary } from "capi-policy/elements";
import { replaceKeepingFocus } from "../../src/elements/keep-focus";
import { readable } from "../../src/elements/moments";
import { announce } from "./announce";
import { Editor } from "./editor/editor";
import { startEmbedding } from "./embed";
import { byId, el } from "./element";
import type { Example } from "./examples";
import { noLinks } from "./features";
import { startFiles } from "./files";
import { FRESH, named, ofExample, type Opening } from "./openings";
import { PolicyWorker } from "./policy-worker";
import type { SimulateView } from "./simulate/view";
import type { Decision, DocumentView, FromWorker, Problem, Question, Replacement } from "./protocol";
import type { SharedView } from "./shared-view";
import { startTheme } from "./theme";
import { showFlips } from "./views/flips";
import { showFollowUp } from "./views/follow-up";
import { Gallery } from "./views/gallery";
import { headline, showHeadline } from "./views/headline";
import { HealthView } from "./views/health";
import { showNotice } from "./views/notice";
import { PasteView } from "./views/paste";
import { ShareView } from "./views/share";
import { TimeView } from "./views/time";
import { showUnread } from "./views/unread";
import { WhatIfView } from "./views/what-if";
import { scopeId } from "./worker/unread";

export class Page {
  private readonly worker = new PolicyWorker();
  private readonly editor: Editor;
  private readonly time: TimeView;
  private readonly health: HealthView;
  private readonly whatIf: WhatIfView;
  private question: Question = FRESH;
  private note = "";
  private version = 0;
  private start = "";
  private draft: string | undefined;
  private begun = false;
  private readonly conditions: CapiConditions;
  private readonly machineConditions = el("capi-conditions");
  private gallery: Promise<Gallery> | undefined;
  private simulate: Promise<SimulateView> | undefined;
  /** Where the document is, while "Simulate" is in front of it. */
  private behind = "";
  private decision: Decision | undefined;
  private restoring = 0;
  /** Whether the worker has the document: it is being started again, or it ended at this very text once more. */
  private state: "running" | "starting" | "stuck" = "running";
  /** How often it has ended since it last decided something. */
  private ends = 0;

  constructor() {
    this.conditions = byId<CapiConditions>("conditions");
    this.editor = new Editor(byId("editor"), {
      changed: (changes) => {
        this.setVersion(this.version + 1);
        this.becomeDraft();
        // A worker that is being started gets the whole text once it is ready.
        if (this.state === "stuck") this.resume();
        else if (this.state === "running") this.worker.send({ type: "edit", changes: changes.toJSON(), version: this.version });
      },
      pasted: (text) => this.openOwn(text),
    });
    this.time = new TimeView({
      moved: (offset) => this.ask({ offset }),
      started: (start) => this.ask({ start }),
      horizon: (horizon) => this.ask({ horizon }),
    });
    this.health = new HealthView((machine) => this.ask({ machine, row: undefined }));
    this.whatIf = new WhatIfView({ changed: (whatIf) => this.ask({ whatIf }), applied: () => void this.apply() });
    this.listen();
  }

  private listen(): void {
    const { worker } = this;
    worker.on("ready", ({ catalog }) => {
      if (!this.begun) void this.begin(catalog);
      else if (this.state === "starting") this.resume();
    });
    worker.on("failed", ({ message }) =>
      showNotice(`The policy could not be loaded: ${message}`, { label: "Try again", act: () => worker.restart() }),
    );
    worker.on("ended", ({ message }) => this.ended(message));
    worker.on("text", ({ text, first, last, version, large }) => {
      this.editor.receive(text, first, last, large);
      if (last) this.setVersion(version);
    });
    worker.on("reading", ({ part }) => this.showProblem(`Reading … ${Math.round(part * 100)}%`));
    worker.on("document", ({ document }) => this.showDocument(document));
    worker.on("problems", (message) => this.showProblems(message));
    worker.on("overview", ({ version, objects }) => this.showOverview(version, objects));
    worker.on("decision", ({ decision }) => this.show(decision));
    worker.on("timeline", ({ timeline }) => this.time.show(timeline));
    worker.on("noTimeline", ({ message }) => this.time.fail(message));
    worker.on("kept", ({ failure }) => this.showDraftState(failure));
    byId<HTMLSelectElement>("subject").addEventListener("change", ({ target }) =>
      this.ask({ object: (target as HTMLSelectElement).value, machine: undefined, row: undefined }),
    );
    byId("overview").addEventListener("capi-select", (event) => {
      const { kind, namespace, name } = (event as CustomEvent<Summary>).detail;
      this.ask({ object: `${kind}/${namespace}/${name}`, machine: undefined, row: undefined });
      byId("headline").scrollIntoView({ block: "start", behavior: "smooth" });
    });
    const chooseFiles = startFiles((text) => this.openOwn(text));
    const paste = new PasteView({ pasted: (text) => this.openOwn(text), files: chooseFiles, edit: () => this.editor.selectAll() });
    byId("open-paste").addEventListener("click", () => paste.open());
    byId("open-simulate").addEventListener("click", () => this.switchView());
    startTheme(() => this.health.redraw());
    // On a phone one sees the decision first; the order on the screen is the order in which it is read.
    const narrow = matchMedia("(max-width: 900px)");
    const arrange = (): void => (narrow.matches ? byId("decision").after(byId("objects")) : byId("decision").before(byId("objects")));
    narrow.addEventListener("change", arrange);
    arrange();
    addEventListener("popstate", () => void this.restore());
  }

  private async begin(catalog: Catalog): Promise<void> {
    this.begun = true;
    for (const each of [this.conditions, this.machineConditions]) each.catalog = catalog;
    byId("version").replaceChildren(
      `capi-policy ${catalog.version} `,
      el("code", { title: `sha256:${POLICY_DIGEST}` }, `sha256:${POLICY_DIGEST.slice(0, 12)}`),
      ` · like Cluster API ${catalog.clusterApi.join(", ")}`,
    );
    const share = new ShareView({
      link: () => this.link(),
      testCase: () =>
        this.worker.request({
          what: "testCase",
          note: this.note || "made in the playground",
          ...(this.question.row !== undefined && { row: this.question.row }),
        }),
      evaluation: () => this.worker.request({ what: "evaluation" }),
      timeline: () => this.time.drawing()?.outerHTML,
    });
    byId("open-share").addEventListener("click", () => share.open());
    byId("open-gallery").addEventListener("click", () => void this.openGallery(catalog));
    await this.restore(true);
    startEmbedding(({ source, now }) => this.open({ source, ...(now !== undefined && { question: { ...FRESH, start: now } }) }));
  }

  private async openGallery(catalog: Catalog): Promise<void> {
    this.gallery ??= import("./gallery").then(({ examples }) => new Gallery(examples, catalog, (example) => this.openExample(example)));
    (await this.gallery).open();
  }

  /** To "Simulate", or back to the document as it stands. */
  private switchView(): void {
    if (byId("simulate").hidden) {
      this.behind = location.hash;
      enter({ type: "simulate", id: "zone-outage" });
      void this.showSimulate();
    } else {
      history.pushState(null, "", this.behind === "" ? location.pathname + location.search : this.behind);
      this.hideSimulate();
    }
  }

  /** The simulator is loaded when somebody wants it. */
  private async showSimulate(): Promise<void> {
    this.setSimulating(true);
    this.simulate ??= import("./simulate/view").then(({ SimulateView }) => new SimulateView(byId("simulate")));
    const view = await this.simulate;
    await view.restore();
  }

  private hideSimulate(): void {
    this.setSimulating(false);
    void this.simulate?.then((view) => view.cancel());
  }

  private setSimulating(simulating: boolean): void {
    byId("simulate").hidden = !simulating;
    byId("evaluate").hidden = simulating;
    for (const id of ["open-paste", "open-gallery", "open-share"]) byId(id).hidden = simulating;
    byId("open-simulate").textContent = simulating ? "Back to objects" : "Simulate";
  }

  private openExample(example: Example): void {
    enter({ type: "example", id: example.id });
    this.open(ofExample(example));
  }

  /** Opens what somebody brought along, and keeps it. */
  private openOwn(source: string | Blob): void {
    const draft = newDraft();
    enter({ type: "draft", id: draft });
    this.open({ source, draft });
  }

  private open({ source, question = FRESH, note = "", now, draft }: Opening): void {
    this.restoring++;
    this.ends = 0;
    this.state = "running";
    this.question = question;
    this.note = note;
    this.draft = draft;
    byId("draft-state").hidden = true;
    for (const each of [this.conditions, this.machineConditions]) each.focusOn(question.row);
    byId("note").hidden = note === "";
    byId("note").replaceChildren(el("strong", {}, "Look at: "), note);
    this.time.restore(question.offset, question.horizon);
    this.worker.send({ type: "draft", id: undefined, view: undefined });
    this.worker.send({ type: "ask", question });
    this.editor.await();
    if (this.decision) this.setStale("The document is being read. This decision is not about it.");
    this.worker.send({ type: "open", source, ...(now !== undefined && { now }) });
    this.keep();
  }

  /** Changes the question and asks again; undefined takes a part back. */
  private ask(change: { [Part in keyof Question]?: Question[Part] | undefined }): void {
    this.question = Object.fromEntries(
      Object.entries({ ...this.question, ...change }).filter(([, value]) => value !== undefined),
    ) as unknown as Question;
    this.worker.send({ type: "ask", question: this.question });
    this.keep();
  }

  /** What was changed is somebody's own: from now on it is kept, and Back leads to what it was made from. */
  private becomeDraft(): void {
    if (this.draft !== undefined) return;
    this.draft = newDraft();
    enter({ type: "draft", id: this.draft });
    this.keep();
  }

  private keep(): void {
    if (this.draft !== undefined) this.worker.send({ type: "draft", id: this.draft, view: this.view() });
  }

  private view(): SharedView {
    return { question: this.question, note: this.note };
  }

  private showDraftState(failure: string | undefined): void {
    const state = byId("draft-state");
    state.hidden = false;
    state.textContent =
      failure === undefined
        ? "Kept in this browser."
        : `This browser does not keep drafts (${failure}): share a link, or save the text elsewhere.`;
  }

  private async apply(): Promise<void> {
    const replacements = JSON.parse(await this.worker.request({ what: "apply" })) as Replacement[];
    this.editor.change(replacements);
    // Objects as the API server serves them have no profile: there it stays a trial.
    const { profile } = this.question.whatIf;
    const written = replacements.some(({ insert }) => /^\s*"?profile"?:/m.test(insert));
    this.ask({ whatIf: profile === undefined || written ? {} : { profile } });
  }

  /** A link to exactly this: with the time at which the sender looks, whenever it is opened. */
  private async link(): Promise<string> {
    const missing = noLinks();
    if (missing !== undefined) throw new Error(missing);
    const { question, note } = this.view();
    const packed = await this.worker.request({
      what: "pack",
      view: { question: { ...question, start: question.start ?? this.start }, note },
    });
    enter({ type: "session", packed });
    return location.href;
  }

  /** Opens what the address names; at the start, when it names nothing, the last draft. */
  private async restore(starting = false): Promise<void> {
    const mine = ++this.restoring;
    const simulating = ["simulate", "scenario"].includes(place()?.type ?? "");
    if (simulating) {
      void this.showSimulate();
      if (!starting) return;
    } else this.hideSimulate();
    let opening: Opening | undefined;
    let failure = "";
    try {
      opening = await named(this.worker, starting);
    } catch (thrown) {
      failure = thrown instanceof Error ? thrown.message : String(thrown);
    }
    const { examples } = await import("./gallery");
    if (mine !== this.restoring) return;
    if (opening) this.open(opening);
    else if (examples[0]) this.open(ofExample(examples[0]));
    if (failure !== "") showNotice(`${failure} Here is an example instead.`);
  }

  /** The worker is gone; once the next one is ready, it gets the document that the editor shows, unless that is what ended it. */
  private ended(message: string): void {
    this.state = ++this.ends > 1 ? "stuck" : "starting";
    if (this.state === "starting") {
      showNotice(`The policy stopped (${message}) and was started again. Nothing is lost.`);
    } else {
      showNotice(`The policy stopped again (${message}). Nothing is lost: change the document, or open another one.`);
      this.setStale("The policy stopped at this document. This decision is not about it.");
    }
  }

  private resume(): void {
    this.state = "running";
    this.worker.send({ type: "ask", question: this.question });
    this.worker.send({ type: "resume", text: this.editor.text(), version: this.version, now: this.start });
    this.keep();
  }

  /** Which version of the document the editor shows; the page says so, for whoever drives it. */
  private setVersion(version: number): void {
    this.version = version;
    document.body.dataset["document"] = String(version);
  }

  private setStale(why: string): void {
    byId("decision").classList.toggle("stale", why !== "");
    byId("stale").hidden = why === "";
    byId("stale").textContent = why;
  }

  private showDocument({ subjects, subjectCount, chosen, start, startOf, controls, unread }: DocumentView): void {
    const label = ({ kind, namespace, name }: typeof chosen): string => `${kind} ${namespace ? `${namespace}/` : ""}${name}`;
    const options = subjects.some(({ id }) => id === chosen.id) ? subjects : [chosen, ...subjects];
    const select = byId<HTMLSelectElement>("subject");
    replaceKeepingFocus(
      select,
      ...options.map((subject) => el("option", { value: subject.id }, label(subject))),
      ...(subjectCount > subjects.length
        ? [el("option", { disabled: true }, `… ${subjectCount - subjects.length} more: find them in the overview`)]
        : []),
    );
    select.value = chosen.id;
    this.start = start;
    this.time.setStart(start, startOf);
    this.whatIf.show(controls, this.question.whatIf);
    byId<CapiOverview>("overview").selected = chosen;
    showUnread(unread, {
      none: (kinds) => this.ask({ complete: [...new Set([...(this.question.complete ?? []), ...kinds.map(scopeId)])] }),
      add: (text) => this.editor.append(`---\n${text}`),
    });
  }

  private showOverview(version: number, objects: Summary[]): void {
    if (version !== this.version) return;
    byId("fleet").hidden = objects.length === 0;
    byId<CapiOverview>("overview").objects = objects;
    document.body.dataset["overview"] = String(version);
  }

  private showProblems({ version, problems, decided }: Extract<FromWorker, { type: "problems" }>): void {
    if (version !== this.version) return;
    this.editor.mark(problems);
    const [first] = problems;
    const others = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
    this.showProblem(first ? `${first.message}${others}${decided ? " – decided without it" : ""}` : "", first);
    if (first) announce(`Line ${first.line}: ${first.message}`);
    if (this.decision && !decided) {
      const at = readable(this.decision.evaluation.now);
      this.setStale(`The text can't be evaluated as it stands. This is the last decision, of ${at}: it is not about this text.`);
    } else this.setStale("");
  }

  private showProblem(message: string, problem?: Problem): void {
    byId("problem").replaceChildren(
      problem ? el("button", { type: "button", class: "quiet", click: () => this.editor.goTo(problem.from) }, `Line ${problem.line}`) : "",
      message && el("span", {}, message),
    );
  }

  private show(decision: Decision): void {
    this.ends = 0;
    this.decision = decision;
    const { evaluation, explanations, milliseconds } = decision;
    document.body.dataset["decided"] = String(decision.version);
    if (decision.version === this.version) this.setStale("");
    showHeadline(decision);
    announce(headline(decision));
    showFlips(decision);
    this.health.show(decision, this.machineConditions);
    const { conditions, profile } = evaluation;
    Object.assign(this.conditions, { conditions, explanations: explanations ?? [], profile, openFirst: decision.machine === undefined });
    showFollowUp(decision);
    byId("timing").textContent = `decided in ${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;
  }
}
