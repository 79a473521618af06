/** Colours for YAML: the language where documents are small, the lines in view where they are large. */
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { yaml } from "@codemirror/lang-yaml";
import { type Extension } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, MatchDecorator, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const style = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], class: "tok-key" },
  { tag: [tags.string, tags.content, tags.attributeValue], class: "tok-text" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], class: "tok-number" },
  { tag: [tags.comment, tags.lineComment], class: "tok-comment" },
  { tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace, tags.meta], class: "tok-sign" },
]);

/** The whole language, and what searches the text by it. */
export function language(): Extension {
  return [yaml(), syntaxHighlighting(style), bracketMatching()];
}

const CLASSES = ["tok-comment", "tok-key"];

const matcher = new MatchDecorator({
  regexp: /(^\s*#.*)|(?<=^[\s{-]*)("[^"\n]*"(?=\s*:)|[A-Za-z_][\w./-]*(?=:(?:\s|$)))/g,
  decoration: (match) => Decoration.mark({ class: CLASSES[match.slice(1).findIndex((group) => group !== undefined)] ?? "" }),
  maxLength: 2000,
});

/** The lines in view and no more, whatever the size of the document. */
export function visibleLines(): Extension {
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = matcher.createDeco(view);
      }
      update(update: ViewUpdate): void {
        this.decorations = matcher.updateDeco(update, this.decorations);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
}
