import { type Issue, issue } from '../../../core/report/issue.ts';
import type { FbxProperty, FbxRecord, FbxTree } from '../document/fbx-tree.ts';
import { nameKey, splitName } from '../document/object-names.ts';
import { type FbxProperties, readProperties, readTemplates } from '../document/object-properties.ts';
import { recordIn, textOf } from '../document/records.ts';

export interface FbxObject {
  /** The 64-bit number as text (7.x), or `<class>::<name>` (6.1). */
  readonly id: string;
  /** Index in the section `Objects`, from 0. */
  readonly index: number;
  /** Name of the record: `Model`, `NodeAttribute`, `Deformer`, `Pose`, `AnimationCurve`… */
  readonly kind: string;
  /** Name without class, with namespaces. May be empty; may repeat in 7.x. */
  readonly name: string;
  /** `LimbNode`, `Null`, `Mesh`, `Root`, `Cluster`, `BindPose`…; often empty. */
  readonly type: string;
  readonly record: FbxRecord;
  readonly properties: FbxProperties;
}

/** One record of the section `Connections`: the source is a child of the destination. */
interface FbxConnection {
  readonly source: string;
  readonly destination: string;
  /** The property of the destination that the source drives (OP connections); empty between whole objects (OO). */
  readonly property: string;
}

export interface FbxScene {
  /** Version × 1000: 7400 for FBX 7.4. */
  readonly version: number;
  /** Id that root Models are connected to. No object has it. */
  readonly rootId: string;
  /** Objects by id, in the order of the file. */
  readonly objects: ReadonlyMap<string, FbxObject>;
  /** Connections from an object to its parents, by the id of the object, in the order of the file. */
  readonly parentConnections: ReadonlyMap<string, readonly FbxConnection[]>;
  /** Connections from an object to its children, by the id of the object, in the order of the file. */
  readonly childConnections: ReadonlyMap<string, readonly FbxConnection[]>;
  /** `GlobalSettings`: axes, unit, time mode. */
  readonly settings: FbxProperties;
  /** The records of the file, for sections other than objects (the Takes of 6.1). */
  readonly tree: FbxTree;
}

const NO_PROPERTIES: FbxProperties = { own: new Map(), defaults: new Map() };

/** Records of the section `Objects` without an object: they have no name. */
const NON_OBJECT_RECORDS = new Set(['GlobalSettings']);

/**
 * Reads the objects with their properties and the OO and OP connections. Connections between two properties (PO, PP) are ignored, because they
 * drive no node. `issues` receives FBX_SCENE for objects without an id or with a repeated id, and for connections between an object and a missing
 * one, except those of properties that are not read. These are left out.
 */
export function readScene(tree: FbxTree, issues: Issue[]): FbxScene {
  const rootId = tree.version >= 7000 ? '0' : 'Model::Scene';
  const objectRecords = sectionOf(tree, 'Objects');
  const objects = readObjects(tree, objectRecords, issues);
  const { parentConnections, childConnections } = readConnections(tree, objects, rootId, issues);
  const settings = recordIn(tree.records, 'GlobalSettings') ?? recordIn(objectRecords, 'GlobalSettings');
  return {
    version: tree.version,
    rootId,
    objects,
    parentConnections,
    childConnections,
    settings: settings === undefined ? NO_PROPERTIES : { own: readProperties(settings), defaults: new Map() },
    tree,
  };
}

/** Returns the children of an object that have one kind. Connections to single properties are ignored. */
export function childObjects({ objects, childConnections }: FbxScene, id: string, kind: string): FbxObject[] {
  return connected(objects, childConnections.get(id), (connection) => connection.source, kind);
}

/** Returns the parents of an object that have one kind. Connections to single properties are ignored. */
export function parentObjects({ objects, parentConnections }: FbxScene, id: string, kind: string): FbxObject[] {
  return connected(objects, parentConnections.get(id), (connection) => connection.destination, kind);
}

function connected(
  objects: ReadonlyMap<string, FbxObject>,
  connections: readonly FbxConnection[] | undefined,
  endOf: (connection: FbxConnection) => string,
  kind: string,
): FbxObject[] {
  const out: FbxObject[] = [];
  for (const connection of connections ?? []) {
    const object = objects.get(endOf(connection));
    if (connection.property === '' && object?.kind === kind) out.push(object);
  }
  return out;
}

/** Returns the records of all sections with a name: damaged and joined files have several. */
function sectionOf({ records }: FbxTree, name: string): readonly FbxRecord[] {
  const sections = records.filter((record) => record.name === name);
  return sections.length === 1 ? (sections[0] as FbxRecord).records : sections.flatMap((section) => section.records);
}

function readObjects(tree: FbxTree, records: readonly FbxRecord[], issues: Issue[]): Map<string, FbxObject> {
  const templates = readTemplates(tree);
  const out = new Map<string, FbxObject>();
  let unnamed = 0;
  let repeated = 0;
  for (const [index, record] of records.entries()) {
    const { name: kind, properties } = record;
    if (NON_OBJECT_RECORDS.has(kind)) continue;
    const isNumbered = typeof properties[0] === 'number' || typeof properties[0] === 'bigint';
    const written = textOf(properties[isNumbered ? 1 : 0]);
    const id = idOf(properties[0]);
    if (id === undefined) unnamed++;
    else if (out.has(id)) repeated++;
    else {
      out.set(id, {
        id,
        index,
        kind,
        name: splitName(written ?? '').name,
        type: textOf(properties[isNumbered ? 2 : 1]) ?? '',
        record,
        properties: { own: readProperties(record), defaults: templates.get(kind) ?? NO_PROPERTIES.defaults },
      });
    }
  }
  if (unnamed > 0)
    report(
      issues,
      `${unnamed} objects have neither an id nor a name; they were left out. Export the file again to get all of it.`,
    );
  if (repeated > 0)
    report(
      issues,
      `${repeated} objects have the id of another object; the first one with each id was used. Export the file again to get all of it.`,
    );
  return out;
}

/** Returns the id of an object, which is never empty; undefined for invalid values. */
export function idOf(value: FbxProperty | undefined): string | undefined {
  if (typeof value === 'string') return nameKey(value) || undefined;
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined;
}

function readConnections(
  tree: FbxTree,
  objects: ReadonlyMap<string, FbxObject>,
  rootId: string,
  issues: Issue[],
): { parentConnections: Map<string, FbxConnection[]>; childConnections: Map<string, FbxConnection[]> } {
  const parentConnections = new Map<string, FbxConnection[]>();
  const childConnections = new Map<string, FbxConnection[]>();
  const seen = new Set<string>();
  let broken = 0;
  for (const { properties } of sectionOf(tree, 'Connections')) {
    const kind = properties[0];
    if (kind !== 'OO' && kind !== 'OP') continue;
    const source = idOf(properties[1]);
    const destination = idOf(properties[2]);
    const property = kind === 'OP' ? textOf(properties[3]) : '';
    if (source === undefined || destination === undefined || property === undefined) {
      broken++;
      continue;
    }
    const hasDestination = objects.has(destination) || destination === rootId;
    if (!objects.has(source) || !hasDestination) {
      const drivesTransform = property === '' || property.startsWith('Lcl ');
      // Maya leaves out the empty curve nodes of its attributes, but not their connections: nothing is missing.
      const isLoss =
        objects.has(source) || (hasDestination && (drivesTransform || objects.get(destination)?.kind !== 'Model'));
      if (isLoss) broken++;
      continue;
    }
    const key = `${source}\0${destination}\0${property}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const connection: FbxConnection = { source, destination, property };
    push(parentConnections, source, connection);
    push(childConnections, destination, connection);
  }
  if (broken > 0)
    report(
      issues,
      `${broken} connections are incomplete or lead to missing objects; they were left out. Export the file again to get all of it.`,
    );
  return { parentConnections, childConnections };
}

function push(table: Map<string, FbxConnection[]>, id: string, connection: FbxConnection): void {
  const list = table.get(id);
  if (list === undefined) table.set(id, [connection]);
  else list.push(connection);
}

function report(issues: Issue[], message: string): void {
  issues.push(issue('FBX_SCENE', message));
}
