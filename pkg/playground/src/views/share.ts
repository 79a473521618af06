/** Ways out of the page: a link, a test case, files. */
import { byId, el } from "../element";

/** What can be taken along. */
export interface Shareable {
  link: () => Promise<string>;
  testCase: () => Promise<string>;
  evaluation: () => Promise<string>;
  timeline: () => string | undefined;
}

const LONG_LINK = 30_000;
/** More than this a text field does not take at once. */
const LONG_TEXT = 200_000;

export class ShareView {
  private readonly dialog = byId<HTMLDialogElement>("share");
  private readonly text = el("textarea", { id: "share-text", rows: 8, readonly: true, "aria-label": "Text to copy", spellcheck: "false" });
  private readonly said = el("p", { class: "muted", role: "status", id: "share-said" });

  constructor(private readonly shareable: Shareable) {
    const button = (id: string, label: string, act: () => Promise<void> | void): HTMLElement =>
      el(
        "button",
        { type: "button", id, click: () => void Promise.resolve(act()).catch((failure: Error) => this.say(failure.message)) },
        label,
      );
    this.dialog.replaceChildren(
      el(
        "header",
        {},
        el("h2", { id: "share-title" }, "Share"),
        el("span", { class: "space" }),
        el("button", { type: "button", class: "quiet", "aria-label": "Close", click: () => this.dialog.close() }, "✕"),
      ),
      el("p", {}, "The link holds everything you see, compressed behind the #: it is never sent to a server."),
      el(
        "div",
        { class: "buttons" },
        button("share-link", "Copy a link", () => this.link()),
        button("share-case", "Copy as test case", async () =>
          this.copy(await shareable.testCase(), "The test case is copied: it belongs into tests/cases."),
        ),
        button("share-json", "Save the evaluation (JSON)", async () =>
          this.save("evaluation.json", "application/json", await shareable.evaluation()),
        ),
        button("share-svg", "Save the timeline (SVG)", () => this.save("timeline.svg", "image/svg+xml", shareable.timeline())),
      ),
      this.said,
      this.text,
    );
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
  }

  open(): void {
    this.text.hidden = true;
    this.say("");
    this.dialog.showModal();
  }

  private async link(): Promise<void> {
    const link = await this.shareable.link();
    await this.copy(
      link,
      link.length > LONG_LINK
        ? `The link is copied. It has ${link.length} characters, more than some programs take.`
        : "The link is copied.",
    );
  }

  private async copy(text: string, said: string): Promise<void> {
    this.text.hidden = text.length > LONG_TEXT;
    this.text.value = this.text.hidden ? "" : text;
    if (!this.text.hidden) this.text.select();
    try {
      await navigator.clipboard.writeText(text);
      this.say(said);
    } catch {
      this.text.value = text;
      this.text.hidden = false;
      this.say("Copy the text below: the browser does not let the page do it.");
    }
  }

  private save(name: string, type: string, text: string | undefined): void {
    if (text === undefined) return this.say("There is nothing to save yet.");
    const address = URL.createObjectURL(new Blob([text], { type }));
    el("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
    this.say(`${name} is saved.`);
  }

  private say(text: string): void {
    this.said.textContent = text;
  }
}
