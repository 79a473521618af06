/** The page's worker: takes messages as they come, works when there are no more, and gives up what nobody waits for. */
import { catalog, init } from "capi-policy";
import type { FromWorker, Request, ToWorker } from "../protocol";
import { applied } from "./apply";
import { fleet } from "./fleet";
import { pack, unpack } from "./pack";
import { Session } from "./session";
import { testCase } from "./test-case";

const post = (message: FromWorker, transfer: Transferable[] = []): void => postMessage(message, { transfer });
/** Lets waiting messages in. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

let session: Session | undefined;
let latest = 0;
let working = false;

const ready = init()
  .then(() => {
    const rules = catalog();
    session = new Session(new Set(rules.tables.map(({ kind }) => kind)), post, pause);
    post({ type: "ready", catalog: rules });
  })
  .catch((failure: unknown) => post({ type: "failed", message: String(failure) }));

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  void ready.then(() => session && handle(data, session));
});

async function handle(message: ToWorker, session: Session): Promise<void> {
  switch (message.type) {
    case "open":
      session.open(typeof message.text === "string" ? message.text : await message.text.text());
      break;
    case "openFleet":
      session.open(fleet(message.machines));
      break;
    case "edit":
      session.edit(message.changes, message.version);
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

async function work(session: Session): Promise<void> {
  latest++;
  if (working) return;
  working = true;
  try {
    for (let done = -1; done !== latest; ) {
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
    post({ type: "answer", id, failure: failure instanceof Error ? failure.message : String(failure) });
  }
}

async function make(request: Request, session: Session): Promise<string> {
  if (request.what === "unpack") return JSON.stringify(await unpack(request.packed));
  if (request.what === "pack") return pack({ text: session.text.toString(), view: request.view });
  const { evaluations } = session;
  if (!evaluations) throw new Error("there is no decision yet");
  const moment = session.moment(false);
  switch (request.what) {
    case "evaluation":
      return `${JSON.stringify(evaluations.evaluate(moment), null, 2)}\n`;
    case "testCase":
      return testCase(request.note, request.row, evaluations.at(moment), evaluations.evaluate(session.moment(true)));
    case "apply":
      return JSON.stringify(applied(session.text.toString(), evaluations.candidate, moment.whatIf));
  }
}
