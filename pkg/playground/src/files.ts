/** Files that are chosen in a dialog or dropped anywhere on the page. */
import { byId } from "./element";

/** Calls back with what was opened; several files become one stream of documents. Gives the way to the dialog. */
export function startFiles(opened: (text: Blob) => void): () => void {
  const input = byId<HTMLInputElement>("file");
  const open = (files: FileList | null | undefined): void => {
    if (files?.length) opened(joined([...files]));
  };
  const choose = (): void => input.click();
  byId("open-file").addEventListener("click", choose);
  input.addEventListener("change", () => {
    open(input.files);
    input.value = "";
  });
  document.addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) {
      event.preventDefault();
      document.body.classList.add("dropping");
    }
  });
  for (const end of ["dragleave", "drop"]) document.addEventListener(end, () => document.body.classList.remove("dropping"));
  // Before the editor, which would read the file itself, on the thread that draws.
  document.addEventListener(
    "drop",
    (event) => {
      if (event.dataTransfer?.files.length) {
        event.preventDefault();
        event.stopPropagation();
        open(event.dataTransfer.files);
      }
    },
    { capture: true },
  );
  return choose;
}

/** One text of several files. */
function joined(files: File[]): Blob {
  return files.length === 1 && files[0] ? files[0] : new Blob(files.flatMap((file) => [file, "\n---\n"]));
}
