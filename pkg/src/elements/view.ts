/** What every element of the package is: a shadow root with the package's look, drawn anew once all its properties are set. */

/**
 * Colours follow the page's `color-scheme`; a page sets `--capi-…` for another. `light-dark` also works inside pictures, which get
 * their colours as variables.
 */
const COLOURS: Record<string, [string, string]> = {
  surface: ["#ffffff", "#151b23"],
  hover: ["#f0f3f8", "#1d2631"],
  line: ["#dfe4ea", "#2b3542"],
  text: ["#1b2330", "#e4e9f0"],
  muted: ["#56606e", "#a1adbb"],
  faint: ["#616b79", "#8996a6"],
  accent: ["#1f5fe0", "#6ea3ff"],
  "accent-soft": ["#e6eefe", "#1a2b4a"],
  unhealthy: ["#cf222e", "#f0575f"],
  waiting: ["#e0a92a", "#e2b046"],
  notEvaluated: ["#8250df", "#a884f3"],
  healthy: ["#2da44e", "#3fb95f"],
  skipped: ["#8c959f", "#77818d"],
  "good-text": ["#1a7f37", "#5fd07c"],
  "bad-text": ["#b3202b", "#ff8b91"],
  "warn-text": ["#7d5700", "#e8bd5c"],
  "good-soft": ["#e3f6e8", "#14301d"],
  "bad-soft": ["#fdeaec", "#3a1a1e"],
  "warn-soft": ["#fdf3d8", "#33290f"],
};

/** The light colours, for pictures that leave the page. */
export function lightColour(name: string): string {
  return COLOURS[name]?.[0] ?? "#888888";
}

const BASE = `
:host {
  display: block;
  ${Object.entries(COLOURS)
    .map(([name, [light, dark]]) => `--${name}: var(--capi-${name}, light-dark(${light}, ${dark}));`)
    .join("\n  ")}
  --mono: var(--capi-mono, ui-monospace, "SF Mono", "Cascadia Code", "DejaVu Sans Mono", Menlo, Consolas, monospace);
  color: var(--text);
  overflow-wrap: anywhere;
}
:host([hidden]) { display: none; }
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
p { margin: 6px 0; }
.muted { color: var(--muted); }
.good { color: var(--good-text); }
.bad { color: var(--bad-text); }
.doubt, .progress { color: var(--warn-text); }
.hidden {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
.status {
  min-width: 66px;
  padding: 1px 8px;
  border-radius: 99px;
  text-align: center;
  font-size: 12px;
  font-weight: 600;
  background: var(--hover);
  color: var(--muted);
}
.status.good { background: var(--good-soft); color: var(--good-text); }
.status.bad { background: var(--bad-soft); color: var(--bad-text); }
.status.doubt, .status.progress { background: var(--warn-soft); color: var(--warn-text); }
.row-id {
  padding: 1px 6px;
  border-radius: 5px;
  background: var(--hover);
  color: var(--muted);
  font: 11.5px var(--mono);
}
`;

const sheets = new Map<string, CSSStyleSheet>();

function sheet(css: string): CSSStyleSheet {
  let made = sheets.get(css);
  if (!made) {
    sheets.set(css, (made = new CSSStyleSheet()));
    made.replaceSync(css);
  }
  return made;
}

/** The base of the elements. */
export abstract class View extends HTMLElement {
  protected readonly root = this.attachShadow({ mode: "open" });
  private scheduled = false;
  #values: Record<string, unknown> = {};

  constructor(css: string) {
    super();
    this.root.adoptedStyleSheets = [sheet(BASE), sheet(css)];
  }

  /** Gives an element its properties: whoever sets one sees it drawn. */
  protected static properties<T extends View>(this: new () => T, initial: Partial<T>): void {
    for (const name of Object.keys(initial)) {
      Object.defineProperty(this.prototype, name, {
        get(this: View) {
          return Object.hasOwn(this.#values, name) ? this.#values[name] : Reflect.get(initial, name);
        },
        set(this: View, value: unknown) {
          this.#values[name] = value;
          this.changed();
        },
        configurable: true,
      });
    }
  }

  /** Properties that a page set before the element was defined take effect now. */
  connectedCallback(): void {
    for (const name of Object.keys(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(this)))) {
      if (!Object.hasOwn(this, name)) continue;
      const value: unknown = Reflect.get(this, name);
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, value);
    }
    this.changed();
  }

  /** Draws, once everything that is set together is set. */
  protected changed(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    queueMicrotask(() => {
      this.scheduled = false;
      this.draw();
    });
  }

  protected abstract draw(): void;

  /** Tells the page what somebody chose. */
  protected tell(type: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }
}
