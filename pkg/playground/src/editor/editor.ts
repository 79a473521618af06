/** The document of the page: what is typed goes out as changes, what is opened comes in piece by piece. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { foldGutter, foldKeymap, indentUnit } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Annotation, type ChangeSet, Compartment, EditorState, type Extension, Text, Transaction } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import type { Problem, Replacement } from "../protocol";
import { language, visibleLines } from "./highlight";
import { markLines, problemLines } from "./problem-lines";
import { theme } from "./theme";

/** Marks changes that come from the worker and need not go back. */
const opened = Annotation.define<boolean>();

/** What the editor tells. */
export interface EditorEvents {
  changed: (changes: ChangeSet) => void;
  /** A text pasted over everything: a document of its own, with a `now` of its own. */
  pasted: (text: string) => void;
}

export class Editor {
  private readonly view: EditorView;
  private readonly look = new Compartment();
  private readonly lock = new Compartment();

  constructor(
    host: HTMLElement,
    private readonly events: EditorEvents,
    private readonly holds = "Kubernetes objects",
  ) {
    // A shadow root takes style sheets without the page having to allow inline styles.
    const root = host.attachShadow({ mode: "open" });
    const parent = document.createElement("div");
    parent.style.height = "100%";
    root.append(parent);
    this.view = new EditorView({ parent, root, state: EditorState.create({ extensions: this.extensions() }) });
  }

  /** Takes no typing until a document that is being opened has come. */
  await(): void {
    this.view.dispatch({ effects: this.lock.reconfigure(EditorState.readOnly.of(true)) });
  }

  /** Takes the next piece of an opened document. */
  receive(text: string, first: boolean, last: boolean, large: boolean): void {
    const { view } = this;
    const end = view.state.doc.length;
    view.dispatch({
      changes: { from: first ? 0 : end, to: end, insert: Text.of(text.split("\n")) },
      annotations: [opened.of(true), Transaction.addToHistory.of(false)],
      effects: [
        ...(first ? [this.look.reconfigure(large ? visibleLines() : language())] : []),
        this.lock.reconfigure(EditorState.readOnly.of(!last)),
      ],
      ...(first && { selection: { anchor: 0 }, scrollIntoView: true }),
    });
  }

  /** Changes the text as if it were typed, so that it can be undone. */
  change(changes: Replacement[]): void {
    this.view.dispatch({ changes });
  }

  /** Adds a document at the end, as if it were typed. */
  append(text: string): void {
    const { doc } = this.view.state;
    const separate = doc.length === 0 || doc.lineAt(doc.length).length === 0 ? "" : "\n";
    this.view.dispatch({ changes: { from: doc.length, insert: Text.of(`${separate}${text}`.split(/\r?\n/)) } });
  }

  /** Marks problems on their lines. */
  mark(problems: Problem[]): void {
    const { length } = this.view.state.doc;
    const diagnostics: Diagnostic[] = problems.map(({ from, to, message }) => ({
      from: Math.min(from, length),
      to: Math.min(to, length),
      severity: "error",
      message,
    }));
    const { effects = [] } = setDiagnostics(this.view.state, diagnostics);
    this.view.dispatch({ effects: [effects, markLines(diagnostics.map(({ from }) => from))].flat() });
  }

  /** Everything in it. */
  text(): string {
    return this.view.state.doc.toString();
  }

  /** Selects everything, so that the next paste takes its place. */
  selectAll(): void {
    this.view.dispatch({ selection: { anchor: 0, head: this.view.state.doc.length } });
    this.view.focus();
  }

  /** Puts the cursor at a position. */
  goTo(position: number): void {
    this.view.dispatch({ selection: { anchor: Math.min(position, this.view.state.doc.length) }, scrollIntoView: true });
    this.view.focus();
  }

  private extensions(): Extension {
    return [
      lineNumbers(),
      lintGutter(),
      problemLines(),
      foldGutter(),
      history(),
      drawSelection(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      highlightSelectionMatches(),
      indentUnit.of("  "),
      keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...foldKeymap, indentWithTab]),
      theme,
      this.look.of(language()),
      this.lock.of(EditorState.readOnly.of(false)),
      EditorView.contentAttributes.of({
        tabindex: "0",
        "aria-label": `${this.holds}, as YAML or JSON. Escape, then Tab leaves the editor.`,
      }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged && !update.transactions.some((transaction) => transaction.annotation(opened)))
          this.events.changed(update.changes);
      }),
      EditorView.domEventHandlers({
        paste: (event, view) => {
          const text = event.clipboardData?.getData("text/plain") ?? "";
          const { from, to } = view.state.selection.main;
          const everything = to - from === view.state.doc.length;
          if (text === "" || !everything) return false;
          this.events.pasted(text);
          return true;
        },
      }),
    ];
  }
}
