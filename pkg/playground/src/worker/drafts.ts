/** Drafts, kept in the browser's database: a text that somebody brought along or changed is there again on the next visit. */

/** A text and what was asked about it. */
export interface Draft {
  id: string;
  text: string;
  /** When it was opened: its `now`, unless it says another. */
  openedAt: string;
  /** What the page keeps beside the text. */
  view: unknown;
  /** When it was last kept, in milliseconds since 1970. */
  saved: number;
}

const MOST = 10;

/** Keeps a draft in place of the one of the same name; the oldest beyond ten are forgotten. */
export async function keepDraft(draft: Draft): Promise<void> {
  const store = await drafts("readwrite");
  store.put(draft);
  const index = store.index("saved");
  const count = await answer(store.count());
  if (count > MOST) for (const key of (await answer(index.getAllKeys())).slice(0, count - MOST)) store.delete(key);
}

/** The draft of this name, else the one that was kept last; undefined when there is none. */
export async function findDraft(id: string | undefined): Promise<Draft | undefined> {
  const store = await drafts("readonly");
  if (id !== undefined) return (await answer(store.get(id))) as Draft | undefined;
  const cursor = await answer(store.index("saved").openCursor(null, "prev"));
  return cursor?.value as Draft | undefined;
}

async function drafts(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  const opening = indexedDB.open("capi-policy", 1);
  opening.addEventListener("upgradeneeded", () => {
    opening.result.createObjectStore("drafts", { keyPath: "id" }).createIndex("saved", "saved");
  });
  const database = await answer(opening);
  const transaction = database.transaction("drafts", mode);
  transaction.addEventListener("complete", () => database.close());
  transaction.addEventListener("abort", () => database.close());
  return transaction.objectStore("drafts");
}

function answer<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("the database does not answer")));
  });
}
