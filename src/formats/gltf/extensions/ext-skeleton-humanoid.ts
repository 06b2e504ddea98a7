/**
 * EXT_skeleton_humanoid, "Skeleton definition": the root extension, which maps humanoid bones to nodes. Where text and
 * published schema differ, the text wins: it has a list of skeletons and all 55 bones.
 */
import { BONE, BONE_COUNT, BONES, type BoneName, isBoneName } from '../../../core/humanoid/bones.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { GltfDocument } from '../document/document.ts';
import { dropExtension, useExtension } from '../document/extensions-used.ts';
import {
  arrayAt,
  describeValue,
  isObject,
  type JsonObject,
  memberAt,
  objectAt,
  pointerTo,
} from '../document/json-access.ts';
import { extensionOf, isIndex, listOf, memberOf } from '../document/loose-json.ts';

export const EXT_SKELETON_HUMANOID = 'EXT_skeleton_humanoid';

const ROOT = `/extensions/${EXT_SKELETON_HUMANOID}`;

/** A humanoid of a file: one entry of `humanoidSkeletons`. */
export interface HumanoidSkeletonDefinition {
  /**
   * glTF node whose space is the model space: facing +Z, up +Y, ground at y = 0. −1 where the file names no existing
   * node.
   */
  readonly rootNode: number;
  /** glTF node per bone; absent bones have no entry. */
  readonly bones: Readonly<Partial<Record<BoneName, number>>>;
}

/** The definitions of a file, and what is wrong with them. */
interface HumanoidSkeletonDefinitions {
  /** In the order of `humanoidSkeletons`. */
  readonly definitions: readonly HumanoidSkeletonDefinition[];
  /** EXT_SKELETON and EXT_SINGLE_OBJECT. */
  readonly issues: readonly Issue[];
}

interface Entry {
  readonly value: unknown;
  readonly pointer: string;
}

/** The root extension; null where it is missing or not an object. */
function rootExtension({ json }: GltfDocument): JsonObject | null {
  const extension = extensionOf(json, EXT_SKELETON_HUMANOID);
  return isObject(extension) ? extension : null;
}

/** Whether the root extension is one skeleton, as in the published schema, instead of a list. */
function isSingleForm(extension: JsonObject): boolean {
  return memberAt(extension, 'humanoidSkeletons') === undefined && memberAt(extension, 'humanoidBones') !== undefined;
}

function entriesOf(extension: JsonObject, issues: Issue[]): Entry[] {
  if (isSingleForm(extension)) {
    const message =
      'The extension holds a single skeleton, expected an array humanoidSkeletons. It was read as an array of one.';
    issues.push(issue('EXT_SINGLE_OBJECT', message, { pointer: ROOT }));
    return [{ value: extension, pointer: ROOT }];
  }
  const list = memberAt(extension, 'humanoidSkeletons');
  // A file with clips only may have the extension without a skeleton.
  if (list === undefined) return [];
  const pointer = `${ROOT}/humanoidSkeletons`;
  if (Array.isArray(list)) return list.map((value, index) => ({ value, pointer: `${pointer}/${index}` }));
  issues.push(
    issue('EXT_SKELETON', `humanoidSkeletons is ${describeValue(list)}, expected an array. No skeleton was read.`, {
      pointer,
    }),
  );
  return [];
}

/** Reads the valid entries of a bone map; the others are reported. */
function readBones(
  map: unknown,
  pointer: string,
  nodeCount: number,
  issues: Issue[],
): HumanoidSkeletonDefinition['bones'] {
  const bones: Partial<Record<BoneName, number>> = {};
  const report = (message: string, where: string): void => {
    issues.push(issue('EXT_SKELETON', message, { pointer: where }));
  };
  if (!isObject(map)) {
    report(
      `humanoidBones is ${describeValue(map)}, expected an object that maps bone names to node indices. The skeleton has no bones.`,
      pointer,
    );
    return bones;
  }
  const boneOfNode = new Map<number, BoneName>();
  for (const [name, node] of Object.entries(map)) {
    if (name === 'extensions' || name === 'extras') continue;
    const where = pointerTo(pointer, name);
    if (!isBoneName(name)) report(`${describeValue(name)} is not a humanoid bone name. The entry was ignored.`, where);
    else if (!isIndex(node, nodeCount)) {
      report(
        `Bone ${name} has node ${describeValue(node)}, but the file has ${nodeCount} nodes. The bone was ignored.`,
        where,
      );
    } else if (boneOfNode.has(node)) {
      report(
        `Node ${node} is mapped to both ${boneOfNode.get(node)} and ${name}. The second entry was ignored.`,
        where,
      );
    } else {
      bones[name] = node;
      boneOfNode.set(node, name);
    }
  }
  return bones;
}

function readDefinition({ value, pointer }: Entry, nodeCount: number, issues: Issue[]): HumanoidSkeletonDefinition {
  if (!isObject(value)) {
    issues.push(
      issue(
        'EXT_SKELETON',
        `The skeleton definition is ${describeValue(value)}, expected an object. It has no bones.`,
        { pointer },
      ),
    );
    return { rootNode: -1, bones: {} };
  }
  const root = memberAt(value, 'rootNode');
  if (!isIndex(root, nodeCount)) {
    const message = `rootNode is ${describeValue(root)}, but the file has ${nodeCount} nodes. It was ignored.`;
    issues.push(issue('EXT_SKELETON', message, { pointer: `${pointer}/rootNode` }));
  }
  const bones = readBones(memberAt(value, 'humanoidBones'), `${pointer}/humanoidBones`, nodeCount, issues);
  return { rootNode: isIndex(root, nodeCount) ? root : -1, bones };
}

/**
 * Reads the humanoid skeletons that a file defines, in file order: an index in the result is an index in
 * `humanoidSkeletons`. Invalid bones are left out and reported. The single object of the published schema is read as a
 * list of one.
 *
 * @param doc The parsed document.
 * @returns The definitions, empty without the extension; issues EXT_SKELETON and EXT_SINGLE_OBJECT.
 */
export function readSkeletonDefinitions(doc: GltfDocument): HumanoidSkeletonDefinitions {
  const issues: Issue[] = [];
  const extension = rootExtension(doc);
  if (extension === null) return { definitions: [], issues };
  const nodes = memberAt(doc.json, 'nodes');
  const nodeCount = Array.isArray(nodes) ? nodes.length : 0;
  const definitions = entriesOf(extension, issues).map((entry) => readDefinition(entry, nodeCount, issues));
  return { definitions, issues };
}

export function usesSkeletonHumanoid(doc: GltfDocument): boolean {
  if (rootExtension(doc) !== null) return true;
  return listOf(doc.json, 'animations').some((animation) =>
    listOf(animation, 'channels').some(
      (channel) => extensionOf(memberOf(channel, 'target'), EXT_SKELETON_HUMANOID) !== undefined,
    ),
  );
}

export function skeletonDefinitionPointer(doc: GltfDocument, index: number): string {
  const extension = rootExtension(doc);
  return extension !== null && isSingleForm(extension) ? ROOT : `${ROOT}/humanoidSkeletons/${index}`;
}

/**
 * Checks that a definition can be written to a document. Throws RangeError for nodes that do not exist, unknown bone names, no bones at all, or one
 * node for two bones.
 */
export function checkDefinition({ json }: GltfDocument, { rootNode, bones }: HumanoidSkeletonDefinition): void {
  const nodeCount = arrayAt(json, 'nodes', '').length;
  const named: [string, number][] = [['rootNode', rootNode], ...(Object.entries(bones) as [string, number][])];
  for (const [what, node] of named) {
    if (isIndex(node, nodeCount)) continue;
    throw new RangeError(`The skeleton definition has node ${node} as ${what}, but the file has ${nodeCount} nodes.`);
  }
  const names = Object.keys(bones);
  const unknown = names.find((name) => !isBoneName(name));
  if (unknown !== undefined)
    throw new RangeError(`The skeleton definition has ${JSON.stringify(unknown)}, which is not a humanoid bone name.`);
  if (names.length === 0) throw new RangeError('The skeleton definition has no bones, expected at least one.');
  if (new Set(Object.values(bones)).size < names.length) {
    throw new RangeError('The skeleton definition maps two bones to one node. Each bone needs its own node.');
  }
}

/** The definition as JSON, bones in the order of BONES. */
function definitionToJson({ rootNode, bones }: HumanoidSkeletonDefinition): JsonObject {
  const entries: [string, number][] = [];
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const node = bones[BONES[bone]];
    if (node !== undefined) entries.push([BONES[bone], node]);
  }
  return { rootNode, humanoidBones: Object.fromEntries(entries) };
}

/** The array of definitions, for writing. A single object becomes the first item of a new array. */
function definitionList(doc: GltfDocument): unknown[] {
  const { json } = doc;
  const extensions = objectAt(json, 'extensions', '') ?? {};
  const extension = objectAt(extensions, EXT_SKELETON_HUMANOID, '/extensions') ?? {};
  json['extensions'] = extensions;
  extensions[EXT_SKELETON_HUMANOID] = extension;
  if (isSingleForm(extension)) {
    const { rootNode, humanoidBones } = extension;
    delete extension['rootNode'];
    delete extension['humanoidBones'];
    extension['humanoidSkeletons'] = [{ rootNode, humanoidBones }];
  }
  const list = arrayAt(extension, 'humanoidSkeletons', ROOT) as unknown[];
  if (memberAt(extension, 'humanoidSkeletons') !== undefined) return list;
  const created: unknown[] = [];
  extension['humanoidSkeletons'] = created;
  return created;
}

/**
 * Appends a humanoid skeleton definition to a document. Only the extension and `extensionsUsed` change. The caller
 * ensures that the bones are joints and that their reference pose conforms.
 *
 * @param doc The document to edit.
 * @param definition Root node and bones, as glTF node indices.
 * @returns Index of the definition in `humanoidSkeletons`.
 * @throws RangeError For nodes that do not exist, unknown bone names, no bones at all, or one node for two bones.
 * @throws FormatError GLTF_SCHEMA where the document has an invalid value at the path of the extension.
 * @example
 * ```ts
 * const doc = parseGltf(bytes);
 * const index = addSkeletonDefinition(doc, { rootNode: 0, bones: { hips: 1, spine: 2, head: 5 } });
 * ```
 */
export function addSkeletonDefinition(doc: GltfDocument, definition: HumanoidSkeletonDefinition): number {
  checkDefinition(doc, definition);
  const index = definitionList(doc).push(definitionToJson(definition)) - 1;
  useExtension(doc.json, EXT_SKELETON_HUMANOID);
  return index;
}

/**
 * Replaces a definition of the document. Its `extras` and `extensions` are kept. Nodes are glTF indices. Throws RangeError as
 * {@link addSkeletonDefinition}, and for an index without a definition.
 */
export function replaceSkeletonDefinition(
  doc: GltfDocument,
  index: number,
  definition: HumanoidSkeletonDefinition,
): void {
  checkDefinition(doc, definition);
  const list = definitionList(doc);
  if (!(index < list.length))
    throw new RangeError(`The file has ${list.length} skeleton definitions, so index ${index} does not exist.`);
  const old = list[index];
  list[index] = { ...(isObject(old) ? old : {}), ...definitionToJson(definition) };
  useExtension(doc.json, EXT_SKELETON_HUMANOID);
}

export function bonesOfDefinition({ bones }: HumanoidSkeletonDefinition): Int32Array {
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  for (const [name, node] of Object.entries(bones)) nodes[BONE[name as BoneName]] = node as number;
  return nodes;
}

/** Removes all skeleton definitions. `json`: JSON of the document; edited. */
export function dropSkeletonDefinitions(json: JsonObject): void {
  const extensions = memberAt(json, 'extensions');
  if (!isObject(extensions)) return;
  delete extensions[EXT_SKELETON_HUMANOID];
  if (Object.keys(extensions).length === 0) delete json['extensions'];
  dropExtension(json, EXT_SKELETON_HUMANOID);
}
