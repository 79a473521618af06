/** The editor's look, from the page's own colours. */
import { EditorView } from "@codemirror/view";

export const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", backgroundColor: "var(--surface)", color: "var(--text)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--accent)", padding: "8px 0" },
  ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--faint)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--hover)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--selection) !important",
  },
  ".cm-lint-marker-error": { content: "normal", color: "var(--unhealthy)", lineHeight: 1 },
  ".cm-lint-marker-error::before": { content: '"●"' },
  ".cm-line.problem": { backgroundColor: "var(--bad-soft)" },
  ".cm-lintRange-error": { backgroundImage: "none", borderBottom: "2px solid var(--unhealthy)" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--text)", border: "1px solid var(--line)", borderRadius: "6px" },
  ".cm-diagnostic-error": { borderLeft: "4px solid var(--unhealthy)" },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--text)" },
  ".cm-panels input, .cm-panels button": { fontSize: "12px" },
  ".cm-foldPlaceholder": { backgroundColor: "var(--hover)", border: "none", color: "var(--muted)" },
  ".tok-key": { color: "var(--code-key)" },
  ".tok-text": { color: "var(--code-text)" },
  ".tok-number": { color: "var(--code-number)" },
  ".tok-comment": { color: "var(--code-comment)", fontStyle: "italic" },
  ".tok-sign": { color: "var(--muted)" },
});
