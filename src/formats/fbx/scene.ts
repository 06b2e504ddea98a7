/** The objects of an FBX file and how they are connected. */
import { type Issue, issue } from '../../core/report/issue.ts';
import { nameKey, splitName } from './names.ts';
import { type FbxProperties, readProperties, readTemplates } from './properties.ts';
import { recordIn, textOf } from './records.ts';
import type { FbxProperty, FbxRecord, FbxTree } from './tree.ts';

/** One record of the section `Objects`. */
export interface FbxObject {
  /** In 7.x the 64-bit number as text; in 6.1 `<class>::<name>`. */
  readonly id: string;
  /** Place in the section, counted from 0. */
  readonly index: number;
  /** Name of the record: `Model`, `NodeAttribute`, `Deformer`, `Pose`, `AnimationCurve`… */
  readonly kind: string;
  /** Without the class, with namespaces; may be empty, may repeat in 7.x. */
  readonly name: string;
  /** `LimbNode`, `Null`, `Mesh`, `Root`, `Cluster`, `BindPose`…; often empty. */
  readonly type: string;
  readonly record: FbxRecord;
  readonly properties: FbxProperties;
}

/** One record of the section `Connections`: `source` belongs to `destination`. */
export interface FbxConnection {
  readonly source: string;
  readonly destination: string;
  /** The property of the destination that the source drives (OP connections); empty for whole objects (OO). */
  readonly property: string;
}

/** What an FBX file holds. */
export interface FbxScene {
  /** 7400 for FBX 7.4. */
  readonly version: number;
  /** Id of what Models without a parent are connected to. It is no object. */
  readonly rootId: string;
  /** By id, in the order of the file. */
  readonly objects: ReadonlyMap<string, FbxObject>;
  /** By the id of the source: what the object belongs to, in the order of the file. */
  readonly above: ReadonlyMap<string, readonly FbxConnection[]>;
  /** By the id of the destination: what belongs to the object, in the order of the file. */
  readonly below: ReadonlyMap<string, readonly FbxConnection[]>;
  /** `GlobalSettings`: axes, unit, time mode. */
  readonly settings: FbxProperties;
  /** The file as it is written, for what is no object (the Takes of 6.1). */
  readonly tree: FbxTree;
}

const NO_PROPERTIES: FbxProperties = { own: new Map(), defaults: new Map() };

/** Records of `Objects` that are no objects: they have no name. */
const NAMELESS = new Set(['GlobalSettings']);

/**
 * Reads objects, their properties and OO and OP connections (those between two properties, PO and PP, drive no node and
 * are left out). Objects without an id or with one that is taken, and connections to objects that are not there, are
 * left out and reported as FBX_SCENE.
 */
export function readScene(tree: FbxTree, issues: Issue[]): FbxScene {
  const rootId = tree.version >= 7000 ? '0' : 'Model::Scene';
  const objectRecords = sectionOf(tree, 'Objects');
  const objects = readObjects(tree, objectRecords, issues);
  const { above, below } = readConnections(tree, objects, rootId, issues);
  const settings = recordIn(tree.records, 'GlobalSettings') ?? recordIn(objectRecords, 'GlobalSettings');
  return {
    version: tree.version,
    rootId,
    objects,
    above,
    below,
    settings: settings === undefined ? NO_PROPERTIES : { own: readProperties(settings), defaults: new Map() },
    tree,
  };
}

/** What belongs to an object and is of one kind, whole objects only, in the order of the file. */
export function objectsBelow({ objects, below }: FbxScene, id: string, kind: string): FbxObject[] {
  return connected(objects, below.get(id), (connection) => connection.source, kind);
}

/** What an object belongs to and is of one kind, as a whole, in the order of the file. */
export function objectsAbove({ objects, above }: FbxScene, id: string, kind: string): FbxObject[] {
  return connected(objects, above.get(id), (connection) => connection.destination, kind);
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

/** The records in all sections of a name: damaged and joined files have several. */
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
    if (NAMELESS.has(kind)) continue;
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
  if (unnamed > 0) report(issues, `${unnamed} objects have neither a number nor a name; they were left out`);
  if (repeated > 0) report(issues, `${repeated} objects have the id of another; the first of each was taken`);
  return out;
}

/** Never empty. */
function idOf(value: FbxProperty | undefined): string | undefined {
  if (typeof value === 'string') return nameKey(value) || undefined;
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined;
}

function readConnections(
  tree: FbxTree,
  objects: ReadonlyMap<string, FbxObject>,
  rootId: string,
  issues: Issue[],
): { above: Map<string, FbxConnection[]>; below: Map<string, FbxConnection[]> } {
  const above = new Map<string, FbxConnection[]>();
  const below = new Map<string, FbxConnection[]>();
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
    if (!objects.has(source) || !(objects.has(destination) || destination === rootId)) {
      broken++;
      continue;
    }
    const key = `${source}\0${destination}\0${property}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const connection: FbxConnection = { source, destination, property };
    push(above, source, connection);
    push(below, destination, connection);
  }
  if (broken > 0) report(issues, `${broken} connections lead to objects that are not in the file; they were left out`);
  return { above, below };
}

function push(table: Map<string, FbxConnection[]>, id: string, connection: FbxConnection): void {
  const list = table.get(id);
  if (list === undefined) table.set(id, [connection]);
  else list.push(connection);
}

function report(issues: Issue[], message: string): void {
  issues.push(issue('FBX_SCENE', message));
}
