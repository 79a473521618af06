import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { gallery } from "./gallery-plugin.ts";
import { scenarios } from "./scenarios-plugin.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const digest = createHash("sha256")
  .update(readFileSync(here("../wasm/capi_policy_bg.wasm")))
  .digest("hex");

export default defineConfig({
  root: here("."),
  // Relative addresses: the folder works below any path.
  base: "./",
  define: { POLICY_DIGEST: JSON.stringify(digest) },
  resolve: {
    alias: {
      "capi-policy/elements": here("../src/elements/index.ts"),
      "capi-policy/summaries": here("../src/summaries.ts"),
      "capi-policy": here("../src/index.ts"),
    },
  },
  plugins: [gallery(), scenarios()],
  worker: { format: "es" },
  build: {
    outDir: here("dist"),
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
});
