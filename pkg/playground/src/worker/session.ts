/** The state behind the page: its text and its question in, decisions and timelines out. */
import { ChangeSet } from "@codemirror/state";
import { type Evaluation, PolicyError } from "capi-policy";
import type { DocumentView, FromWorker, Question, Subject } from "../protocol";
import { type Candidate, Evaluations, type Moment } from "./candidate";
import { changes } from "./changes";
import { decision } from "./decision";
import { Lookahead } from "./lookahead";
import { summaries } from "./summaries";
import { Reader, type Reading, refusedEvaluation } from "./reader";
import { controls, isEmpty } from "./what-if";

const EXPLAINED_AT_ONCE = 300;
const SUBJECTS_SHOWN = 200;
const PIECE = 100_000;

export class Session {
  text = "";
  question: Question = { offset: 0, whatIf: {}, horizon: 0 };
  /** What the last good document holds. */
  reading: Reading | undefined;
  evaluations: Evaluations | undefined;
  private version = 0;
  private readVersion = -1;
  /** The version and the complete kinds of the last reading. */
  private read = "";
  /** When the document was opened; empty while there is none. */
  openedAt = "";
  private announced = "";
  private overviewed = "";
  private foreseen = "";
  private readonly reader: Reader;
  private readonly lookahead: Lookahead;

  constructor(
    kinds: Set<string>,
    private readonly post: (message: FromWorker, transfer?: Transferable[]) => void,
    private readonly pause: () => Promise<void>,
  ) {
    this.reader = new Reader(kinds, async (part) => {
      post({ type: "reading", part });
      await pause();
    });
    this.lookahead = new Lookahead(
      (timeline) => post({ type: "timeline", timeline }),
      (message) => post({ type: "noTimeline", message }),
    );
  }

  /** Takes a new document and hands its text to the editor, in pieces that it can take without stopping. */
  open(text: string, now = wholeSeconds(new Date())): void {
    const normal = text.replace(/\r\n?/g, "\n");
    this.text = normal;
    this.version++;
    this.openedAt = now;
    this.announced = this.foreseen = this.overviewed = "";
    const large = normal.length > 4 * PIECE;
    for (let at = 0; at === 0 || at < normal.length; at += PIECE) {
      const [first, last] = [at === 0, at + PIECE >= normal.length];
      this.post({ type: "text", text: normal.slice(at, at + PIECE), first, last, version: this.version, large });
    }
  }

  /** Takes over a document that the editor has already. */
  resume(text: string, version: number, now: string): void {
    this.text = text;
    this.version = version;
    this.openedAt = now;
  }

  edit(changeSet: unknown, version: number): void {
    const { text } = this;
    const parts: string[] = [];
    let kept = 0;
    ChangeSet.fromJSON(changeSet).iterChanges((from, to, _fromAfter, _toAfter, inserted) => {
      parts.push(text.slice(kept, from), inserted.toString());
      kept = to;
    });
    this.text = parts.join("") + text.slice(kept);
    this.version = version;
  }

  /** Brings everything up to date; `stale` says when to give up because something newer waits. */
  async update(stale: () => boolean): Promise<void> {
    const { version } = this;
    const complete = this.question.complete ?? [];
    const read = `${version} ${complete.join()}`;
    if (this.read !== read) {
      const result = await this.reader.read(this.text, complete);
      if (stale()) return;
      this.read = read;
      this.readVersion = version;
      if (Array.isArray(result)) {
        this.reading = undefined;
        this.post({ type: "problems", version, problems: result, decided: false });
        return;
      }
      this.reading = result;
      this.evaluations = undefined;
    }
    if (!this.reading) return;
    this.decide(this.reading, stale);
    await this.overview(this.reading, stale);
  }

  /** Sums up every object of the document, where that is news. */
  private async overview({ candidates }: Reading, stale: () => boolean): Promise<void> {
    const { profile } = this.question.whatIf;
    const moment: Moment = { ...this.moment(false), whatIf: profile === undefined ? {} : { profile } };
    const key = `${this.read} ${JSON.stringify(moment)}`;
    if (key === this.overviewed) return;
    const objects = candidates.length > 1 ? await summaries(candidates, moment, this.pause, stale) : [];
    if (!objects) return;
    this.overviewed = key;
    this.post({ type: "overview", version: this.readVersion, objects });
  }

  /** When the decision is made. */
  moment(explain: boolean): Moment {
    const start = this.start();
    const time = Date.parse(start);
    // What is no time is passed on: the policy says so, and on which line.
    const now = Number.isNaN(time) ? start : wholeSeconds(new Date(time + this.question.offset * 1000));
    return { now, explain, whatIf: this.question.whatIf };
  }

  private start(): string {
    const asked = this.question.start ?? this.evaluations?.candidate.now;
    const time = Date.parse(asked ?? "");
    return Number.isNaN(time) ? (asked ?? this.openedAt) : wholeSeconds(new Date(time));
  }

  private decide(reading: Reading, stale: () => boolean): void {
    const chosen = reading.candidates.find(({ id }) => id === this.question.object) ?? reading.candidates[0];
    if (!chosen) return;
    if (this.evaluations?.candidate !== chosen) this.evaluations = new Evaluations(chosen);
    try {
      this.announce(reading, this.evaluations);
      this.decideChosen(this.evaluations, stale);
      this.post({ type: "problems", version: this.readVersion, problems: reading.refused, decided: true });
      this.foresee(this.evaluations);
    } catch (failure) {
      // Anything but a refusal leaves a policy behind that can't be trusted.
      if (!(failure instanceof PolicyError)) throw failure;
      const found = refusedEvaluation(failure, chosen, reading.text);
      this.post({ type: "problems", version: this.readVersion, problems: [found], decided: false });
    }
  }

  private decideChosen(evaluations: Evaluations, stale: () => boolean): void {
    const few = evaluations.candidate.machines <= EXPLAINED_AT_ONCE;
    const evaluation = evaluations.evaluate(this.moment(few));
    this.deliver(evaluation, few ? evaluation : undefined);
    if (!few) {
      setTimeout(() => {
        if (!stale()) this.deliver(evaluation, evaluations.evaluate(this.moment(true)));
      }, 300);
    }
  }

  private deliver(evaluation: Evaluation, explained: Evaluation | undefined): void {
    const { whatIf, row } = this.question;
    const machine = this.question.machine ?? (row && explained?.explanations?.find((e) => e.machine && e.row === row)?.machine);
    const moment = this.moment(explained === evaluation);
    const flips = isEmpty(whatIf) ? undefined : changes(this.unchanged(moment), evaluation);
    const result = decision(evaluation, explained, {
      version: this.readVersion,
      outdated: this.evaluations?.candidate.outdated,
      machine: machine || undefined,
      flips,
      milliseconds: this.evaluations?.milliseconds ?? 0,
    });
    const { machines } = result;
    this.post({ type: "decision", decision: result }, machines && [machines.verdicts.buffer, machines.deadlines.buffer]);
  }

  /** What the document as it stands says at the same moment. */
  private unchanged(moment: Moment): Evaluation {
    if (!this.evaluations) throw new Error("nothing to evaluate");
    return this.evaluations.evaluate({ ...moment, whatIf: {} });
  }

  /** Says what the document holds, where that is news. */
  private announce({ candidates, unread }: Reading, { candidate }: Evaluations): void {
    const document: DocumentView = {
      version: this.readVersion,
      subjects: candidates.slice(0, SUBJECTS_SHOWN).map(subject),
      subjectCount: candidates.length,
      chosen: subject(candidate),
      start: this.start(),
      startOf: this.question.start !== undefined ? "choice" : candidate.now !== undefined ? "document" : "opening",
      controls: controls(candidate),
      unread,
    };
    const { version: _version, ...news } = document;
    const text = JSON.stringify(news);
    if (text !== this.announced) this.post({ type: "document", document });
    this.announced = text;
  }

  private foresee(evaluations: Evaluations): void {
    const moment: Moment = { now: this.start(), explain: false, whatIf: this.question.whatIf };
    const key = `${this.read} ${evaluations.candidate.id} ${JSON.stringify(moment)} ${this.question.horizon}`;
    if (key === this.foreseen) return;
    this.foreseen = key;
    this.lookahead.ask(() => evaluations.candidate.snapshot(moment), moment.now, this.question.horizon);
  }
}

function subject({ id, kind, namespace, name }: Candidate): Subject {
  return { id, kind, namespace, name };
}

function wholeSeconds(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, "Z");
}
