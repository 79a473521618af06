/** The page's worker: takes messages as they come, works when there are no more, and gives up what nobody waits for. */
import { catalog, init } from "capi-policy";
import type { FromWorker, Request, Source, ToWorker } from "../protocol";
import type { Fields } from "../document/gather";
import { applied } from "./apply";
import { findDraft, keepDraft } from "./drafts";
import { fleet } from "./fleet";
import { pack, unpack } from "./pack";
import { Session } from "./session";
import { testCase } from "./test-case";

const post = (message: FromWorker, transfer: Transferable[] = []): void => postMessage(message, { transfer });
const reason = (failure: unknown): string => (failure instanceof Error ? failure.message : String(failure));
const KEEP_AFTER = 300;
/** Lets waiting messages in. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

let session: Session | undefined;
let latest = 0;
let working = false;

let draft: { id: string; view: unknown } | undefined;
let keeping: ReturnType<typeof setTimeout> | undefined;

const ready = init()
  .then(() => {
    const rules = catalog();
    session = new Session(new Set(rules.tables.map(({ kind }) => kind).filter((kind) => kind !== "Every kind")), post, pause);
    const alive = `capi-policy-worker-${performance.timeOrigin}-${Math.random()}`;
    const begin = (): void => post({ type: "ready", catalog: rules, alive });
    if (!navigator.locks) return begin();
    // Held until the worker ends, however that happens: nothing else tells a page that its worker was closed.
    void navigator.locks.request(alive, () => {
      begin();
      return new Promise(() => {});
    });
  })
  .catch((failure: unknown) => post({ type: "failed", message: reason(failure) }));

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  ready.then(() => session && handle(data, session)).catch((failure: unknown) => post({ type: "crashed", message: reason(failure) }));
});

async function handle(message: ToWorker, session: Session): Promise<void> {
  switch (message.type) {
    case "open":
      session.open(await textOf(message.source), message.now);
      break;
    case "resume":
      session.resume(message.text, message.version, message.now);
      break;
    case "draft":
      draft = message.id === undefined ? undefined : { id: message.id, view: message.view };
      keepSoon(session);
      return;
    case "edit":
      session.edit(message.changes, message.version);
      keepSoon(session);
      break;
    case "ask":
      session.question = message.question;
      break;
    case "request":
      await answer(message.id, message.what, session);
      return;
  }
  await work(session);
}

async function textOf(source: Source): Promise<string> {
  if (typeof source === "string") return source;
  if (source instanceof Blob) return source.text();
  if ("objects" in source) return JSON.stringify({ apiVersion: "v1", kind: "List", items: source.objects }, null, 2);
  if ("draft" in source) return (await findDraft(source.draft))?.text ?? "";
  return fleet(source.machines);
}

/** Keeps the draft once nobody has typed for a moment. */
function keepSoon(session: Session): void {
  clearTimeout(keeping);
  if (!draft || session.openedAt === "") return;
  const { id, view } = draft;
  keeping = setTimeout(() => {
    keepDraft({ id, view, text: session.text, openedAt: session.openedAt, saved: Date.now() }).then(
      () => post({ type: "kept" }),
      (failure: unknown) => post({ type: "kept", failure: reason(failure) }),
    );
  }, KEEP_AFTER);
}

async function work(session: Session): Promise<void> {
  latest++;
  if (working) return;
  working = true;
  try {
    for (let done = -1; done !== latest;) {
      await pause();
      done = latest;
      await session.update(() => done !== latest);
    }
  } finally {
    working = false;
  }
}

async function answer(id: number, request: Request, session: Session): Promise<void> {
  try {
    post({ type: "answer", id, text: await make(request, session) });
  } catch (failure) {
    post({ type: "answer", id, failure: reason(failure) });
  }
}

async function make(request: Request, session: Session): Promise<string> {
  if (request.what === "unpack") return JSON.stringify(await unpack(request.packed));
  if (request.what === "draft") {
    const { text: _text, ...draft } = (await findDraft(request.id)) ?? {};
    return JSON.stringify("id" in draft ? draft : null);
  }
  if (request.what === "pack") return pack({ text: session.text, view: request.view });
  const { evaluations } = session;
  if (!evaluations) throw new Error("there is no decision yet");
  const moment = session.moment(false);
  switch (request.what) {
    case "evaluation":
      return `${JSON.stringify(evaluations.evaluate(moment), null, 2)}\n`;
    case "testCase":
      return testCase(
        request.note,
        request.row,
        JSON.parse(evaluations.candidate.snapshot(moment)) as Fields,
        evaluations.evaluate(session.moment(true)),
      );
    case "apply":
      return JSON.stringify(applied(session.text, evaluations.candidate, moment.whatIf));
  }
}
