/** What the fleet misses, in the few words that a page has room for. */
import type { Scope, Wanted } from "capi-policy";
import type { Unread, UnreadKind } from "../protocol";

/** Sums up what was not read, and what stands in the text in a version that the policy does not read. */
export function unread({ kinds, objects, outdated }: Wanted): Unread {
  const named = new Set(objects.filter(({ presence }) => presence === "notRead").map(({ group = "", kind }) => `${group}/${kind}`));
  const missing = kinds.filter(
    ({ group = "", kind, complete }) => !complete && (isOwn(group) || kind === "Node" || named.has(`${group}/${kind}`)),
  );
  const versions = new Map<string, Unread["outdated"][number]>();
  for (const { group = "", kind, version } of outdated) {
    const known = versions.get(`${group}/${kind}/${version}`);
    if (known) known.count++;
    else versions.set(`${group}/${kind}/${version}`, { group, kind, version, count: 1 });
  }
  return {
    kinds: missing.map(({ group = "", kind, workloadCluster }) => ({ group, kind, ...(workloadCluster && { workloadCluster }) })),
    outdated: [...versions.values()],
  };
}

/** Cluster API's own kinds are always needed; those of providers where something refers to them. */
function isOwn(group: string): boolean {
  return group === "cluster.x-k8s.io" || group === "controlplane.cluster.x-k8s.io";
}

/** A kind as text, for links. */
export function scopeId({ group, kind, workloadCluster }: UnreadKind): string {
  return [group, kind, ...(workloadCluster ? [workloadCluster.namespace ?? "", workloadCluster.name] : [])].join("/");
}

/** The kind of such a text. */
export function scopeOf(id: string): Scope {
  const [group = "", kind = "", namespace = "", name] = id.split("/");
  const workloadCluster = name === undefined ? undefined : { name, ...(namespace !== "" && { namespace }) };
  return { group, kind, ...(workloadCluster && { workloadCluster }) };
}
