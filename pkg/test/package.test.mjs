// The package in Node, as it is imported by others.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { before, describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { catalog, decide, evaluate, Fleet, forecast, init, PolicyError, version } from "capi-policy";
import { parse } from "yaml";
import { loadComponent } from "./component.mjs";
import { cluster } from "./fixtures.mjs";
import { readFleets, readVectors } from "./vectors.mjs";

const NOW = "2025-01-01T00:00:00Z";

it("says that it must be loaded first", () => {
  assert.throws(() => version(), /await init\(\)/);
});

describe("the loaded package", () => {
  before(() => init());

  it("answers every case and the whole corpus in the bytes of the component and of the library", () => {
    const vectors = readVectors();
    const component = loadComponent();
    assert.ok(vectors.length >= 1000, `only ${vectors.length} vectors`);
    for (const { id, snapshot, evaluation, error } of vectors) {
      assert.deepEqual(component(snapshot), error === undefined ? { evaluation } : { error }, id);
      if (error !== undefined) {
        assert.throws(() => evaluate(snapshot), { name: "PolicyError", message: error }, id);
        continue;
      }
      assert.equal(JSON.stringify(evaluate(snapshot)), evaluation, id);
      assert.equal(JSON.stringify(evaluate(JSON.stringify(snapshot))), evaluation, id);
    }
  });

  it("looks ahead", () => {
    const machine = {
      metadata: { name: "m1", creationTimestamp: NOW, labels: { "cluster.x-k8s.io/cluster-name": "c" } },
      spec: { clusterName: "c" },
    };
    const transition = (type) => ({ type, status: "True", lastTransitionTime: NOW });
    const snapshot = {
      now: NOW,
      machineHealthCheck: { metadata: { name: "hc" }, spec: { clusterName: "c", selector: {}, checks: { nodeStartupTimeoutSeconds: 60 } } },
      cluster: {
        metadata: { name: "c" },
        status: { conditions: [transition("InfrastructureReady"), transition("ControlPlaneInitialized")] },
      },
      machines: [{ ...machine, status: { conditions: [transition("InfrastructureReady")] } }],
    };
    const { now, moments, complete } = forecast(snapshot, "2025-01-01T01:00:00Z");
    assert.deepEqual(now, evaluate(snapshot));
    assert.equal(complete, true);
    const verdict = moments.flatMap(({ at, changes }) => changes.filter(({ what }) => what === "verdict").map((c) => ({ at, ...c })));
    assert.deepEqual(verdict, [
      { at: "2025-01-01T00:01:01Z", subject: "m1", what: "verdict", from: "waiting", to: "unhealthy", row: "MHC-HCS-8" },
    ]);
  });

  it("decides about raw objects as every other shape", () => {
    const fleets = readFleets();
    assert.equal(fleets.length, 10);
    for (const { id, now, profile, objects, evaluations } of fleets) {
      assert.ok(evaluations.length >= 15, id);
      assert.deepEqual(decide(objects, { now, profile }), evaluations, id);
    }
  });

  it("decides about the objects of a list as a fleet of them does", () => {
    const objects = cluster();
    const now = "2025-06-01T12:00:00Z";
    const decisions = decide(objects, { now });
    assert.deepEqual(
      decisions.map(({ kind, name }) => `${kind} ${name}`).toSorted(),
      objects
        .filter(({ kind }) => kind !== "Node")
        .map(({ kind, metadata }) => `${kind} ${metadata.name}`)
        .toSorted(),
    );
    const fleet = new Fleet();
    fleet.assume("presentKindsAreComplete");
    for (const object of objects) fleet.upsert(JSON.stringify(object));
    for (const decision of decisions) {
      const { kind, namespace, name } = decision;
      const snapshot = fleet.snapshot({ kind, namespace, name }, { now });
      assert.deepEqual(decision, evaluate(snapshot), `${kind} ${name}`);
      assert.deepEqual(
        fleet.forecast({ kind, namespace, name }, { now }, "2025-06-02T12:00:00Z"),
        forecast(snapshot, "2025-06-02T12:00:00Z"),
      );
    }
    assert.deepEqual(
      fleet
        .wanted()
        .kinds.filter(({ complete }) => !complete)
        .map(({ kind }) => kind),
      ["KubeadmControlPlane", "MachinePool"],
    );
    fleet.remove({ kind: "Node", name: "node-m2" });
    const { machines } = fleet.evaluate({ kind: "MachineHealthCheck", namespace: "default", name: "hc" }, { now });
    assert.equal(machines.find(({ name }) => name === "m2").cause, "NodeNotFound");
    fleet.free();
  });

  it("checks machines in every story of a health check, under every profile", () => {
    const folder = new URL("../playground/stories/", import.meta.url);
    const stories = readdirSync(folder).flatMap((file) => parse(readFileSync(new URL(file, folder), "utf8")).cases);
    const checks = stories.filter(({ input }) => input.machineHealthCheck);
    assert.ok(checks.length >= 4);
    for (const { note, input } of checks) {
      for (const profile of catalog().profiles) {
        const { machines, threshold } = evaluate({ ...input, profile });
        assert.ok(threshold && machines.length > 0, `${profile}: ${note}`);
      }
    }
  });

  it("describes itself", () => {
    const { name, version: described, profiles, tables } = catalog();
    assert.deepEqual({ name, profiles }, { name: "capi-policy", profiles: ["documented", "cluster-api-v1.13", "cluster-api-v1.14"] });
    assert.equal(described, version());
    assert.equal(version(), JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version);
    assert.deepEqual(
      tables.map(({ id }) => id).toSorted(),
      tables.map(({ id }) => id),
    );
  });

  it("refuses with a path what it can't read", () => {
    const refused = (snapshot, path, message, code = "invalid") =>
      assert.throws(
        () => evaluate(snapshot),
        (error) => {
          assert.ok(error instanceof PolicyError && error instanceof Error);
          assert.equal(error.path, path);
          assert.equal(error.code, code);
          assert.match(error.message, message);
          return true;
        },
      );
    refused({ now: NOW, machine: { metadata: { name: 5 } } }, "machine.metadata.name", /expected a string, found number 5/);
    refused({ now: "soon", machine: {} }, "now", /RFC 3339/);
    refused({}, "snapshot", /missing field `now`/);
    refused(null, "snapshot", /expected an object, found null/);
    refused(undefined, "snapshot", /expected an object/);
    refused(7n, "snapshot", /expected an object/);
    refused("{", undefined, /not JSON/, "syntax");
    const endless = { now: NOW };
    endless.machine = endless;
    refused(endless, "snapshot", /JSON can't hold/);
    let deep = {};
    for (let i = 0; i < 1000; i++) deep = { deep };
    refused({ now: NOW, machine: deep }, undefined, /at most 100 levels/, "tooDeep");
    assert.throws(() => forecast({ now: NOW, machine: {} }, "later"), { name: "PolicyError", path: "until", code: "invalid" });
    assert.throws(() => new Fleet().evaluate({ kind: "Machine", name: "m1" }, { now: NOW }), { name: "PolicyError", code: "notFound" });
    assert.throws(() => new Fleet().upsert(endless), { name: "PolicyError", path: "object" });
    assert.equal(evaluate({ now: NOW, machine: { metadata: { name: "m1" } } }).name, "m1", "and goes on");
  });
});

it("is small: wasm and glue in 300 KB gzipped", () => {
  const gzipped = (file) => gzipSync(readFileSync(new URL(`../${file}`, import.meta.url)), { level: 9 }).length;
  const scripts = readdirSync(new URL("../dist/", import.meta.url)).filter((file) => file.endsWith(".js") && file !== "summaries.js");
  const sizes = ["wasm/capi_policy_bg.wasm", "wasm/capi_policy.js", ...scripts.map((file) => `dist/${file}`)].map(gzipped);
  const total = sizes.reduce((sum, size) => sum + size);
  console.log(`wasm and glue: ${(total / 1000).toFixed(1)} KB gzipped`);
  assert.ok(total <= 300_000, `${total} bytes`);
});
