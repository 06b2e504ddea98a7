/**
 * EXT_skeleton_humanoid, "Skeleton definition": the root extension, which says which nodes are the bones of which humanoid. The text wins
 * over the published schema: it has a list of skeletons, and all 55 bones.
 */
import { BONE, BONE_COUNT, BONES, type BoneName, isBoneName } from '../../../core/humanoid/bones.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { GltfDocument } from '../document.ts';
import { arrayAt, isObject, type JsonObject, memberAt, nameOfValue, objectAt, pointerTo } from '../schema.ts';
import { useExtension } from '../used-extensions.ts';

export const EXT_SKELETON_HUMANOID = 'EXT_skeleton_humanoid';

/** Where the root extension stands. */
const ROOT = `/extensions/${EXT_SKELETON_HUMANOID}`;

/** A humanoid of a file: one entry of `humanoidSkeletons`. */
export interface SkeletonDefinition {
  /** Node of the file whose space is that of the model: facing +Z, up +Y, ground y = 0. −1 where the file names none that exists. */
  readonly rootNode: number;
  /** Nodes of the file. */
  readonly bones: Readonly<Partial<Record<BoneName, number>>>;
}

/** A definition as it stands in the file, before it is looked at. */
interface Entry {
  readonly value: unknown;
  readonly pointer: string;
}

/** The root extension; null where there is none that is an object. */
function rootExtension({ json }: GltfDocument): JsonObject | null {
  const extensions = memberAt(json, 'extensions');
  const extension = isObject(extensions) ? memberAt(extensions, EXT_SKELETON_HUMANOID) : undefined;
  return isObject(extension) ? extension : null;
}

/** Whether the root extension is one skeleton, as the published schema has it, and not a list. */
function isSingleForm(extension: JsonObject): boolean {
  return memberAt(extension, 'humanoidSkeletons') === undefined && memberAt(extension, 'humanoidBones') !== undefined;
}

function entriesOf(extension: JsonObject, issues: Issue[]): Entry[] {
  if (isSingleForm(extension)) {
    const message =
      'The extension holds one skeleton instead of the list humanoidSkeletons that its text asks for; it was read';
    issues.push(issue('EXT_SINGLE_OBJECT', message, { pointer: ROOT }));
    return [{ value: extension, pointer: ROOT }];
  }
  const list = memberAt(extension, 'humanoidSkeletons');
  // A file of clips alone may well have the extension without any skeleton.
  if (list === undefined) return [];
  const pointer = `${ROOT}/humanoidSkeletons`;
  if (Array.isArray(list)) return list.map((value, index) => ({ value, pointer: `${pointer}/${index}` }));
  issues.push(issue('EXT_SKELETON', `humanoidSkeletons is ${nameOfValue(list)}, expected an array`, { pointer }));
  return [];
}

function isNode(value: unknown, nodeCount: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < nodeCount;
}

/** The bones of a map as they can be used; others are reported. */
function readBones(map: unknown, pointer: string, nodeCount: number, issues: Issue[]): SkeletonDefinition['bones'] {
  const bones: Partial<Record<BoneName, number>> = {};
  const report = (message: string, where: string): void => {
    issues.push(issue('EXT_SKELETON', message, { pointer: where }));
  };
  if (!isObject(map)) {
    report(
      `humanoidBones is ${nameOfValue(map)}, expected an object of node indices by bone; the skeleton has no bones`,
      pointer,
    );
    return bones;
  }
  const boneOfNode = new Map<number, BoneName>();
  for (const [name, node] of Object.entries(map)) {
    if (name === 'extensions' || name === 'extras') continue;
    const where = pointerTo(pointer, name);
    if (!isBoneName(name)) report(`${nameOfValue(name)} is no humanoid bone; it was left out`, where);
    else if (!isNode(node, nodeCount)) {
      report(`Bone ${name} has node ${nameOfValue(node)}, but the file has ${nodeCount} nodes; it was left out`, where);
    } else if (boneOfNode.has(node)) {
      report(`Node ${node} is given as ${boneOfNode.get(node)} and as ${name}; the second was left out`, where);
    } else {
      bones[name] = node;
      boneOfNode.set(node, name);
    }
  }
  return bones;
}

function readDefinition({ value, pointer }: Entry, nodeCount: number, issues: Issue[]): SkeletonDefinition {
  if (!isObject(value)) {
    issues.push(
      issue('EXT_SKELETON', `A skeleton definition is ${nameOfValue(value)}, expected an object`, { pointer }),
    );
    return { rootNode: -1, bones: {} };
  }
  const root = memberAt(value, 'rootNode');
  if (!isNode(root, nodeCount)) {
    const message = `rootNode is ${nameOfValue(root)}, expected a node of the ${nodeCount} of the file`;
    issues.push(issue('EXT_SKELETON', message, { pointer: `${pointer}/rootNode` }));
  }
  const bones = readBones(memberAt(value, 'humanoidBones'), `${pointer}/humanoidBones`, nodeCount, issues);
  return { rootNode: isNode(root, nodeCount) ? root : -1, bones };
}

/**
 * The humanoids that a file defines, in its order: an index here is one of `humanoidSkeletons`. What cannot be used is left out of
 * them and reported as EXT_SKELETON; the single object of the published schema is read as a list of one (EXT_SINGLE_OBJECT).
 */
export function readSkeletonDefinitions(doc: GltfDocument, issues: Issue[] = []): SkeletonDefinition[] {
  const extension = rootExtension(doc);
  if (extension === null) return [];
  const nodes = memberAt(doc.json, 'nodes');
  const nodeCount = Array.isArray(nodes) ? nodes.length : 0;
  return entriesOf(extension, issues).map((entry) => readDefinition(entry, nodeCount, issues));
}

/** Whether anything in a file uses the extension: a definition, or a channel of its animations. */
export function usesSkeletonHumanoid(doc: GltfDocument): boolean {
  if (rootExtension(doc) !== null) return true;
  const animations = memberAt(doc.json, 'animations');
  if (!Array.isArray(animations)) return false;
  return animations.some((animation: unknown) => {
    const channels = isObject(animation) ? memberAt(animation, 'channels') : undefined;
    return Array.isArray(channels) && channels.some((channel: unknown) => isHumanoidChannel(channel));
  });
}

function isHumanoidChannel(channel: unknown): boolean {
  const target = isObject(channel) ? memberAt(channel, 'target') : undefined;
  const extensions = isObject(target) ? memberAt(target, 'extensions') : undefined;
  return isObject(extensions) && memberAt(extensions, EXT_SKELETON_HUMANOID) !== undefined;
}

/** JSON pointer of a definition, for messages. */
export function skeletonDefinitionPointer(doc: GltfDocument, index: number): string {
  const extension = rootExtension(doc);
  return extension !== null && isSingleForm(extension) ? ROOT : `${ROOT}/humanoidSkeletons/${index}`;
}

/** RangeError for a definition that no file may hold. */
export function checkDefinition({ json }: GltfDocument, { rootNode, bones }: SkeletonDefinition): void {
  const nodeCount = arrayAt(json, 'nodes', '').length;
  const named: [string, number][] = [['rootNode', rootNode], ...(Object.entries(bones) as [string, number][])];
  for (const [what, node] of named) {
    if (isNode(node, nodeCount)) continue;
    throw new RangeError(`The skeleton definition has node ${node} as ${what}, the file has ${nodeCount} nodes`);
  }
  const names = Object.keys(bones);
  const stranger = names.find((name) => !isBoneName(name));
  if (stranger !== undefined)
    throw new RangeError(`The skeleton definition has ${JSON.stringify(stranger)}, which is no humanoid bone`);
  if (names.length === 0) throw new RangeError('The skeleton definition has no bones; expected one at least');
  if (new Set(Object.values(bones)).size < names.length) {
    throw new RangeError('The skeleton definition gives one node to two bones; every bone needs a node of its own');
  }
}

/** The definition as JSON, bones in the order of BONES. */
function printDefinition({ rootNode, bones }: SkeletonDefinition): JsonObject {
  const entries: [string, number][] = [];
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const node = bones[BONES[bone]];
    if (node !== undefined) entries.push([BONES[bone], node]);
  }
  return { rootNode, humanoidBones: Object.fromEntries(entries) };
}

/** The list of definitions, to be written to; a single object becomes the first item of one. */
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
  const made: unknown[] = [];
  extension['humanoidSkeletons'] = made;
  return made;
}

/**
 * Appends a definition to the file and gives its index in `humanoidSkeletons`. Nothing else of the file changes but `extensionsUsed`.
 * Whether the bones are joints and stand as the text asks is the caller's affair.
 * RangeError for nodes that do not exist, names that are no bones, no bones at all, or a node for two bones. FormatError GLTF_SCHEMA where the
 * file has something else in its place.
 */
export function addSkeletonDefinition(doc: GltfDocument, definition: SkeletonDefinition): number {
  checkDefinition(doc, definition);
  const index = definitionList(doc).push(printDefinition(definition)) - 1;
  useExtension(doc.json, EXT_SKELETON_HUMANOID);
  return index;
}

/**
 * Puts a definition in the place of one that the file has; other members of that (extras, extensions) stay. RangeError as with
 * {@link addSkeletonDefinition}, and where there is none to replace.
 */
export function replaceSkeletonDefinition(doc: GltfDocument, index: number, definition: SkeletonDefinition): void {
  checkDefinition(doc, definition);
  const list = definitionList(doc);
  if (!(index < list.length))
    throw new RangeError(`The file has ${list.length} skeleton definitions, none with the index ${index}`);
  const old = list[index];
  list[index] = { ...(isObject(old) ? old : {}), ...printDefinition(definition) };
  useExtension(doc.json, EXT_SKELETON_HUMANOID);
}

/** Nodes of a definition per bone, in the order of BONES; −1 where absent. */
export function bonesOfDefinition({ bones }: SkeletonDefinition): Int32Array {
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  for (const [name, node] of Object.entries(bones)) nodes[BONE[name as BoneName]] = node as number;
  return nodes;
}
