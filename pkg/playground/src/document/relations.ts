/** Which objects belong into whose snapshot: for every kind the field it stands in, and how its relatives are found. */
import { type Fields, isFields } from "./gather";

/** One relative, or one list of them. */
export interface Relation {
  /** The field of the snapshot. */
  field: string;
  many: boolean;
  /** Finds them among the objects; `have` is the snapshot so far. */
  find: (subject: Fields, all: ObjectIndex, have: Fields) => Fields[];
}

/** A kind that can be evaluated. */
export interface SubjectKind {
  field: string;
  relations: Relation[];
}

/** The objects of a document by kind. */
export class ObjectIndex {
  private readonly kinds = new Map<string, Fields[]>();

  constructor(objects: Fields[]) {
    for (const object of objects) {
      const kind = String(object["kind"]);
      const known = this.kinds.get(kind);
      if (known) known.push(object);
      else this.kinds.set(kind, [object]);
    }
  }

  /** All objects of a kind. */
  of(kind: string): Fields[] {
    return this.kinds.get(kind) ?? [];
  }
}

/** A value deep in an object. */
export function get(object: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>((value, field) => (isFields(value) ? value[field] : undefined), object);
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const name = (object: Fields): string => text(get(object, "metadata", "name"));
const namespace = (object: Fields): string => text(get(object, "metadata", "namespace"));
const label = (object: Fields, key: string): string => text(get(object, "metadata", "labels", key));
const owners = (object: Fields): Fields[] => {
  const references = get(object, "metadata", "ownerReferences");
  return Array.isArray(references) ? references.filter(isFields) : [];
};
const clusterOf = (object: Fields): string =>
  text(get(object, "spec", "clusterName")) || label(object, "cluster.x-k8s.io/cluster-name");
const isOwnedBy = (object: Fields, owner: Fields): boolean =>
  namespace(object) === namespace(owner) &&
  owners(object).some((reference) => reference["kind"] === owner["kind"] && reference["name"] === name(owner));

/** Objects that name one of these as an owner, or carry its name in a label. */
const ownedBy = (kind: string, labelKey: string, subjects: (subject: Fields, have: Fields) => Fields[]): Relation["find"] =>
  (subject, all, have) => {
    const owning = subjects(subject, have);
    const found = all.of(kind).filter((object) => owning.some((owner) => isOwnedBy(object, owner)));
    return found.length > 0 ? found : all.of(kind).filter((object) => name(subject) !== "" && label(object, labelKey) === name(subject));
  };

const ofCluster = (kind: string): Relation["find"] => (subject, all) =>
  all.of(kind).filter((object) => namespace(object) === namespace(subject) && clusterOf(object) === name(subject));

const itsCluster: Relation["find"] = (subject, all, have) => {
  const owner = clusterOf(subject) || text(owners(subject).find((reference) => reference["kind"] === "Cluster")?.["name"]);
  const found = all.of("Cluster").filter((cluster) => name(cluster) === owner && namespace(cluster) === namespace(subject));
  return found.length === 0 && have["cluster"] === undefined && owner === "" ? all.of("Cluster").slice(0, 1) : found;
};

/** The object that a reference in the subject names. */
const referenced = (...path: string[]): Relation["find"] => (subject, all) => {
  const reference = get(subject, ...path);
  return isFields(reference) ? all.of(text(reference["kind"])).filter((object) => name(object) === reference["name"]) : [];
};

const owner = (kind: string, of: (subject: Fields, have: Fields) => unknown): Relation["find"] => (subject, all, have) => {
  const owned = of(subject, have);
  return isFields(owned) ? all.of(kind).filter((object) => isOwnedBy(owned, object)) : [];
};

const template = (subject: Fields): string =>
  text(get(subject, "spec", "remediation", "templateRef", "kind")) || text(get(subject, "spec", "remediationTemplate", "kind"));

const one = (field: string, find: Relation["find"]): Relation => ({ field, many: false, find });
const many = (field: string, find: Relation["find"]): Relation => ({ field, many: true, find });
const itself = (subject: Fields): Fields[] => [subject];

/** Every kind that can be evaluated, in the order in which the policy looks for them in a snapshot. */
export const SUBJECTS: Record<string, SubjectKind> = {
  MachineHealthCheck: {
    field: "machineHealthCheck",
    relations: [
      one("cluster", itsCluster),
      many("machines", (subject, all) => all.of("Machine").filter((machine) => namespace(machine) === namespace(subject))),
      many("nodes", (_, all) => all.of("Node")),
      one("remediationTemplate", (subject, all) => {
        const found = referenced("spec", "remediation", "templateRef")(subject, all, {});
        return found.length > 0 ? found : referenced("spec", "remediationTemplate")(subject, all, {});
      }),
      many("remediationRequests", (subject, all) => all.of(template(subject).replace(/Template$/, ""))),
    ],
  },
  MachineDeployment: {
    field: "machineDeployment",
    relations: [
      one("cluster", itsCluster),
      many("machineSets", ownedBy("MachineSet", "cluster.x-k8s.io/deployment-name", itself)),
      many("machines", ownedBy("Machine", "cluster.x-k8s.io/deployment-name", (_, have) => (have["machineSets"] as Fields[] | undefined) ?? [])),
    ],
  },
  MachineSet: {
    field: "machineSet",
    relations: [one("cluster", itsCluster), many("machines", ownedBy("Machine", "cluster.x-k8s.io/set-name", itself))],
  },
  KubeadmControlPlane: {
    field: "kubeadmControlPlane",
    relations: [
      one("cluster", itsCluster),
      many("machines", ownedBy("Machine", "cluster.x-k8s.io/control-plane-name", itself)),
    ],
  },
  Machine: {
    field: "machine",
    relations: [
      one("cluster", itsCluster),
      one("owningMachineSet", owner("MachineSet", (subject) => subject)),
      one("owningMachineDeployment", owner("MachineDeployment", (_, have) => have["owningMachineSet"])),
      one("bootstrapConfig", referenced("spec", "bootstrap", "configRef")),
      one("infraMachine", referenced("spec", "infrastructureRef")),
      one("node", (subject, all) => all.of("Node").filter((node) => name(node) === get(subject, "status", "nodeRef", "name"))),
    ],
  },
  Cluster: {
    field: "cluster",
    relations: [
      one("clusterClass", (subject, all) => all.of("ClusterClass").filter((found) => name(found) === get(subject, "spec", "topology", "classRef", "name"))),
      one("infraCluster", referenced("spec", "infrastructureRef")),
      one("controlPlane", referenced("spec", "controlPlaneRef")),
      many("machineDeployments", ofCluster("MachineDeployment")),
      many("machineSets", ofCluster("MachineSet")),
      many("machines", ofCluster("Machine")),
    ],
  },
};
