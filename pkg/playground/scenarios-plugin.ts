/** `virtual:scenarios`: the bad days of `scenarios/`, read when the page is built; the comment at the top of each says where it comes from. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { parse } from "yaml";

const FOLDER = new URL("../../scenarios/", import.meta.url);

export function scenarios(): Plugin {
  const id = "virtual:scenarios";
  return {
    name: "scenarios",
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (source) => (source === `\0${id}` ? `export default JSON.parse(${JSON.stringify(JSON.stringify(read()))})` : undefined),
  };
}

function read(): { id: string; title: string; note: string; text: string }[] {
  const files = readdirSync(fileURLToPath(FOLDER)).filter((file) => file.endsWith(".yaml"));
  return files.toSorted().map((file) => {
    const text = readFileSync(new URL(file, FOLDER), "utf8");
    const note = /^(#.*\n)*/.exec(text)?.[0] ?? "";
    const { name } = parse(text) as { name?: string };
    const id = file.replace(/\.yaml$/, "");
    return { id, title: name ?? id, note: note.replaceAll(/^# ?/gm, "").replaceAll("\n", " ").trim(), text };
  });
}
