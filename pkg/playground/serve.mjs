// A static web server like any other: files below a folder, on loopback, optionally under a sub-path.
// Run by itself it serves the built playground until it is stopped.
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** Serves `folder` and gives the address, with `close()`. */
export function serve(folder, subPath = "/", port = 0) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname);
    const below = path.startsWith(subPath) ? normalize(`/${path.slice(subPath.length)}`) : undefined;
    const file = below && join(folder, below.endsWith("/") ? `${below}index.html` : below);
    if (!file || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
      response.writeHead(404).end("not found");
      return;
    }
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream", "cache-control": "no-store" });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const { port: taken } = server.address();
      // A browser keeps connections open that it may never use again; the server would wait for them.
      const close = () => new Promise((closed) => server.close(closed).closeAllConnections());
      resolve({ address: `http://127.0.0.1:${taken}${subPath}`, close });
    });
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { address } = await serve(fileURLToPath(new URL("./dist", import.meta.url)), "/", Number(process.argv[2] ?? 0));
  console.log(`The playground is at ${address} (Ctrl-C ends it)`);
}
