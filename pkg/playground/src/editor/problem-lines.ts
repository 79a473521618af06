/** Lines with a problem, shown as a whole: the place itself may be a single letter. */
import { type EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";

const set = StateEffect.define<number[]>();
const decoration = Decoration.line({ class: "problem" });

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (lines, { changes, effects, state }) => {
    const news = effects.find((effect) => effect.is(set));
    return news ? decorations(state, news.value as number[]) : lines.map(changes);
  },
  provide: (lines) => EditorView.decorations.from(lines),
});

function decorations({ doc }: EditorState, positions: number[]): DecorationSet {
  const lines = new Set(positions.map((position) => doc.lineAt(position).from));
  return Decoration.set(
    [...lines].map((from) => decoration.range(from)),
    true,
  );
}

/** Knows the lines. */
export function problemLines(): Extension {
  return field;
}

/** Says on which lines there are problems now. */
export function markLines(positions: number[]): StateEffect<number[]> {
  return set.of(positions);
}
