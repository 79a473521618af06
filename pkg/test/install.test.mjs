// `npm pack` gives a package that fresh projects can import.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { launch } from "./chromium.mjs";
import { serve } from "../playground/serve.mjs";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const { version, devDependencies } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
const ASK = `
  await init();
  const { conditions } = evaluate({ now: "2025-01-01T00:00:00Z", machineDeployment: { metadata: { name: "md" } } });
  const deleting = conditions.find(({ type }) => type === "Deleting");`;
const ANSWER = `${version} False NotDeleting`;

describe("the packed package", () => {
  let home;
  let archive;
  const npm = (folder, ...words) =>
    execFileSync("npm", [...words, "--no-audit", "--no-fund", "--prefer-offline"], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  const project = (name, files) => {
    const folder = join(home, name);
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(join(folder, file, ".."), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    return folder;
  };

  before(() => {
    home = mkdtempSync(join(tmpdir(), "capi-policy-"));
    const [packed] = JSON.parse(npm(PACKAGE, "pack", "--json", "--pack-destination", home));
    archive = join(home, packed.filename);
    const paths = packed.files.map(({ path }) => path);
    assert.ok(paths.includes("wasm/capi_policy_bg.wasm") && paths.includes("dist/index.d.ts"), paths.join(", "));
    assert.ok(paths.includes("LICENSE"), paths.join(", "));
    assert.deepEqual(
      paths.filter((path) => /^(playground|test|src|node_modules)\//.test(path)),
      [],
    );
  });
  after(() => rmSync(home, { recursive: true, force: true }));

  it("works in a fresh Node project", () => {
    const folder = project("node", {
      "package.json": '{ "name": "fresh", "private": true, "type": "module" }',
      "main.js": `import { evaluate, init, version } from "capi-policy";${ASK}
        console.log(version(), deleting.status, deleting.reason);`,
    });
    npm(folder, "install", archive);
    assert.equal(execFileSync("node", ["main.js"], { cwd: folder, encoding: "utf8" }).trim(), ANSWER);
  });

  // What an example says it prints stands behind `//` on the line that prints it.
  it("has a README whose examples run and print what they say", () => {
    const examples = [...readFileSync(join(PACKAGE, "README.md"), "utf8").matchAll(/^```js\n(.*?)^```/gms)].map(([, code]) => code);
    assert.ok(examples.length > 0);
    const files = Object.fromEntries(examples.map((code, i) => [`example-${i}.js`, code]));
    const folder = project("readme", { "package.json": '{ "name": "fresh", "private": true, "type": "module" }', ...files });
    npm(folder, "install", archive);
    examples.forEach((code, i) => {
      const wanted = [...code.matchAll(/^ *console\.log\(.*\); \/\/ (.*)$/gm)].map(([, printed]) => printed);
      assert.ok(wanted.length > 0, "an example that prints nothing");
      assert.deepEqual(
        execFileSync("node", [`example-${i}.js`], { cwd: folder, encoding: "utf8" })
          .trim()
          .split("\n"),
        wanted,
      );
    });
  });

  it("works in a page as it is: plain modules, no bundler, no import map", async () => {
    const folder = project("plain", {
      "package.json": '{ "name": "fresh", "private": true, "type": "module" }',
      "index.html": `<!doctype html><title>plain</title><p id="answer"></p><script type="module">
        import { evaluate, init, version } from "./node_modules/capi-policy/dist/index.js";${ASK}
        document.querySelector("#answer").textContent = [version(), deleting.status, deleting.reason].join(" ");
      </script>`,
    });
    npm(folder, "install", archive);
    const [server, browser] = await Promise.all([serve(folder), launch()]);
    try {
      const page = await browser.newPage();
      await page.goto(server.address);
      await page.waitForFunction(() => document.querySelector("#answer").textContent !== "");
      assert.equal(await page.textContent("#answer"), ANSWER);
    } finally {
      await browser.close();
      await server.close();
    }
  });

  it("has types that a strict project without the DOM accepts, and that refuse nonsense", () => {
    const folder = project("types", {
      "package.json": '{ "name": "fresh", "private": true, "type": "module" }',
      "tsconfig.json":
        '{ "compilerOptions": { "strict": true, "module": "nodenext", "target": "es2022", "lib": ["es2022"], "noEmit": true, "types": [] } }',
      "main.ts": `import { evaluate, forecast, init, PolicyError, type Verdict } from "capi-policy";
        await init();
        const verdicts: Verdict[] = evaluate({ now: "" }).machines?.map(({ verdict }) => verdict) ?? [];
        const path: string | undefined = new PolicyError("").path;
        // @ts-expect-error a snapshot without a time
        evaluate({});
        // @ts-expect-error a profile that is none
        forecast({ now: "", profile: "mine" }, "");
        export { verdicts, path };`,
    });
    npm(folder, "install", archive);
    execFileSync(join(PACKAGE, "node_modules/.bin/tsc"), ["--project", folder], { encoding: "utf8" });
  });

  describe("in a fresh Vite project", () => {
    let browser;
    let folder;
    before(async () => {
      browser = await launch();
      folder = project("vite", {
        "package.json": '{ "name": "fresh", "private": true, "type": "module" }',
        "index.html": '<!doctype html><title>fresh</title><p id="answer"></p><script type="module" src="/main.js"></script>',
        "main.js": `import { evaluate, init, version } from "capi-policy";
          async function answer() {${ASK}
            return [version(), deleting.status, deleting.reason].join(" ");
          }
          answer().catch(String).then((text) => { document.querySelector("#answer").textContent = text; });`,
      });
      npm(folder, "install", archive, `vite@${devDependencies.vite}`);
    });
    after(() => browser?.close());

    async function shown(address) {
      const page = await browser.newPage();
      await page.goto(address);
      await page.waitForFunction(() => document.querySelector("#answer").textContent !== "");
      return page.textContent("#answer");
    }

    it("works when built", async () => {
      execFileSync("npx", ["vite", "build", "--logLevel", "warn"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
      const server = await serve(join(folder, "dist"));
      assert.equal(await shown(server.address), ANSWER);
      await server.close();
    });

    it("works in Vite's development server", async () => {
      const vite = spawn(join(folder, "node_modules/.bin/vite"), ["--host", "127.0.0.1", "--port", "0", "--strictPort", "false"], {
        cwd: folder,
      });
      try {
        const address = await new Promise((resolve, reject) => {
          let output = "";
          vite.stdout.on("data", (text) => {
            output += text;
            const found = /http:\/\/127\.0\.0\.1:\d+\//.exec(output.replace(/\u001b\[\d+m/g, ""));
            if (found) resolve(found[0]);
          });
          vite.once("exit", () => reject(new Error(output)));
        });
        assert.equal(await shown(address), ANSWER);
      } finally {
        vite.kill();
      }
    });
  });
});
