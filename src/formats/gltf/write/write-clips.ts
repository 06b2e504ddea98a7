/** Appends clips to a document as animations. glTF 2.0 section 3.11. */
import { PATH_WIDTH, type Track, type TrackPath } from '../../../core/animation/clip.ts';
import type { NewAnimation } from '../../../core/asset/asset.ts';
import { BONE_COUNT, BONES } from '../../../core/humanoid/bones.ts';
import type { Floats } from '../../../core/math/floats.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { AccessorType } from '../accessors/accessor.ts';
import { appendAccessors } from '../accessors/append-accessor.ts';
import type { GltfDocument } from '../document/document.ts';
import { dropExtension, useExtension } from '../document/extensions-used.ts';
import {
  ensureList,
  isObject,
  type JsonObject,
  listItem,
  memberAt,
  numbersAt,
  pointerTo,
} from '../document/json-access.ts';
import { extrasOfEvents } from '../extensions/event-extras.ts';
import { extrasOfClip } from '../extensions/ext-humanoid-channels.ts';
import { EXT_SKELETON_HUMANOID, usesSkeletonHumanoid } from '../extensions/ext-skeleton-humanoid.ts';
import { type EncodedKeys, type EncodedTimes, encodeKeys, encodeTimes } from './encode-keys.ts';

/** Result of {@link appendClips} and {@link replaceClips}. */
interface AppendedClips {
  /** Indices of the new animations. */
  readonly animations: readonly number[];
  /** NODE_MATRIX_DECOMPOSED for animated nodes with a matrix; ANIMATION_REFERENCED from {@link replaceClips}. */
  readonly issues: readonly Issue[];
}

interface Channel {
  /** Target node; −1 for channels of bones. */
  readonly node: number;
  /** Target bone; −1 for channels of nodes. */
  readonly bone: number;
  readonly path: TrackPath | 'weights';
  readonly keys: EncodedKeys;
}

const OUTPUT_TYPES: Readonly<Record<Channel['path'], AccessorType>> = {
  translation: 'VEC3',
  rotation: 'VEC4',
  scale: 'VEC3',
  weights: 'SCALAR',
};

/**
 * Appends animations. Keys are stored as float32, rotations are normalized (see `encodeKeys`), and equal key times are
 * stored once. glTF forbids animating a node with a matrix, so its matrix is replaced by translation, rotation and scale
 * (issue NODE_MATRIX_DECOMPOSED). Nothing else in the file changes.
 *
 * @param doc Document; edited.
 * @param animations Clips and target nodes.
 * @returns Indices of the animations, and issues.
 * @throws RangeError For clips without tracks, tracks without keys or with invalid keys, and two tracks for the same node
 * and path. The document is then unchanged.
 * @throws FormatError GLTF_REFERENCE for a target node that does not exist. The document is then unchanged.
 * @example
 * const doc = parseGltf(await readFile('robot.glb'));
 * const { skeletons } = readGltf(doc);
 * appendClips(doc, [{ name: 'walk', clip, sourceNodes: skeletons[0].sourceNodes }]);
 * await writeFile('walking.glb', concatParts(serializeGltf(doc).parts));
 */
export function appendClips(doc: GltfDocument, animations: readonly NewAnimation[]): AppendedClips {
  return writeAnimations(doc, animations, planChannels(doc, animations));
}

/**
 * Replaces all animations of a file. The accessors of the old animations stay in the document.
 *
 * @param doc Document; edited.
 * @param animations Clips and target nodes.
 * @returns Indices of the animations, and issues.
 * @throws RangeError As {@link appendClips}. The document is then unchanged.
 * @throws FormatError as {@link appendClips}. The document is then unchanged.
 */
export function replaceClips(doc: GltfDocument, animations: readonly NewAnimation[]): AppendedClips {
  const channelLists = planChannels(doc, animations);
  const removed = removeAnimations(doc);
  const written = writeAnimations(doc, animations, channelLists);
  return { animations: written.animations, issues: [...removed.issues, ...written.issues] };
}

/**
 * Removes all animations from a file. Their accessors stay. `doc` is edited. Returns an issue ANIMATION_REFERENCED when an extension or extras seem
 * to refer to animations by index.
 */
export function removeAnimations(doc: GltfDocument): { issues: readonly Issue[] } {
  if (memberAt(doc.json, 'animations') === undefined) return { issues: [] };
  const pointer = findAnimationReference(doc.json);
  delete doc.json['animations'];
  if (!usesSkeletonHumanoid(doc)) dropExtension(doc.json, EXT_SKELETON_HUMANOID);
  if (pointer === null) return { issues: [] };
  const message = `The animations were removed, but ${pointer} seems to refer to animations by index; check this reference`;
  return { issues: [issue('ANIMATION_REFERENCED', message, { pointer })] };
}

function planChannels(doc: GltfDocument, animations: readonly NewAnimation[]): Channel[][] {
  const channelLists = animations.map(channelsOf);
  for (const list of channelLists) for (const { node } of list) if (node >= 0) listItem(doc.json, 'nodes', node);
  return channelLists;
}

/** Channels of an animation: tracks of nodes, then morph weights, then tracks of bones. */
function channelsOf({ clip, sourceNodes, morphs = [], humanoid }: NewAnimation): Channel[] {
  const channels: Channel[] = [];
  const taken = new Set<string>();
  const known = new Map<Floats, EncodedTimes>();
  // Most tracks share their key times.
  const timesOf = (times: Floats): EncodedTimes => {
    const stored = known.get(times) ?? encodeTimes(times);
    known.set(times, stored);
    return stored;
  };
  const add = (node: number, bone: number, path: Channel['path'], keys: EncodedKeys): void => {
    const target = bone < 0 ? `node ${node}` : `bone ${BONES[bone]}`;
    const key = `${target} ${path}`;
    if (taken.has(key))
      throw new RangeError(`Clip "${clip.name}" has two tracks for the ${path} of ${target}, but only one is allowed`);
    taken.add(key);
    channels.push({ node, bone, path, keys });
  };
  const keysOf = (track: Track): EncodedKeys =>
    encodeKeys(track, PATH_WIDTH[track.path], track.path === 'rotation', timesOf(track.times));
  for (const track of clip.tracks) {
    if (!(track.target < sourceNodes.length)) {
      throw new RangeError(
        `Clip "${clip.name}" has a track with target ${track.target}, but sourceNodes has only ${sourceNodes.length} nodes`,
      );
    }
    add(sourceNodes[track.target], -1, track.path, keysOf(track));
  }
  for (const morph of morphs)
    add(morph.sourceNode, -1, 'weights', encodeKeys(morph, morph.targetCount, false, timesOf(morph.times)));
  for (const track of humanoid?.tracks ?? []) {
    if (!(track.target >= 0 && track.target < BONE_COUNT)) {
      throw new RangeError(
        `Clip "${clip.name}" has a track with bone ${track.target}, expected an index below ${BONE_COUNT}`,
      );
    }
    add(-1, track.target, track.path, keysOf(track));
  }
  if (channels.length === 0)
    throw new RangeError(`Clip "${clip.name}" has no tracks, but glTF forbids empty animations`);
  return channels;
}

function writeAnimations(
  doc: GltfDocument,
  animations: readonly NewAnimation[],
  channelLists: readonly (readonly Channel[])[],
): AppendedClips {
  const issues: Issue[] = [];
  const channels = channelLists.flat();
  if (channels.length === 0) return { animations: [], issues };
  const inputs = distinct(channels.map((channel) => channel.keys.times));
  const inputAccessors = appendAccessors(
    doc,
    inputs.arrays.map((array) => ({ array, type: 'SCALAR', minMax: true })),
  );
  const outputAccessors = appendAccessors(
    doc,
    channels.map(({ path, keys }) => ({ array: keys.values, type: OUTPUT_TYPES[path] })),
  );
  for (const { node, path } of channels) if (node >= 0 && path !== 'weights') decomposeMatrix(doc, node, issues);
  if (channels.some(({ bone }) => bone >= 0)) useExtension(doc.json, EXT_SKELETON_HUMANOID);

  const list = ensureList(doc.json, 'animations');
  let at = 0;
  const indices = animations.map(({ name, humanoid, events, extras: others }, i) => {
    const samplers = channelLists[i].map(({ keys }, k) => ({
      input: inputAccessors[inputs.indices[at + k]],
      interpolation: keys.interpolation,
      output: outputAccessors[at + k],
    }));
    const targets = channelLists[i].map((channel, sampler) => ({ sampler, target: targetOf(channel) }));
    at += samplers.length;
    const made = { ...(humanoid === undefined ? {} : extrasOfClip(humanoid)), ...extrasOfEvents(events) };
    // Extras that are no object give way to those of anyrig.
    const extras = Object.keys(made).length === 0 ? others : { ...(isObject(others) && others), ...made };
    const named = name === '' ? {} : { name };
    return list.push({ ...named, channels: targets, samplers, ...(extras !== undefined && { extras }) }) - 1;
  });
  return { animations: indices, issues };
}

/** Target of a channel. Channels of bones have no node: players without the extension would apply their relative rotations as absolute ones. */
function targetOf({ node, bone, path }: Channel): JsonObject {
  if (bone < 0) return { node, path };
  return { path, extensions: { [EXT_SKELETON_HUMANOID]: { humanoidBoneName: BONES[bone] } } };
}

/** Deduplicates arrays: the distinct arrays, and for each input its index among them. */
function distinct(inputs: readonly Float32Array<ArrayBuffer>[]): {
  arrays: Float32Array<ArrayBuffer>[];
  indices: number[];
} {
  const arrays: Float32Array<ArrayBuffer>[] = [];
  const byHash = new Map<number, number[]>();
  const indices = inputs.map((array) => {
    const hash = hashOf(array);
    const alike = byHash.get(hash) ?? [];
    if (alike.length === 0) byHash.set(hash, alike);
    const same = alike.find((index) => arrays[index].every((value, i) => value === array[i]));
    if (same !== undefined) return same;
    alike.push(arrays.length);
    return arrays.push(array) - 1;
  });
  return { arrays, indices };
}

/** FNV-1a hash of the bits of an array. */
function hashOf(array: Float32Array<ArrayBuffer>): number {
  let hash = 0x811c9dc5;
  for (const word of new Uint32Array(array.buffer, array.byteOffset, array.length))
    hash = Math.imul(hash ^ word, 0x01000193);
  return hash;
}

/** Replaces the matrix of a node by translation, rotation and scale: nodes with a matrix must not be animated (section 3.5.3). */
function decomposeMatrix(doc: GltfDocument, index: number, issues: Issue[]): void {
  const node = listItem(doc.json, 'nodes', index);
  const pointer = `/nodes/${index}`;
  const matrix = numbersAt(node, 'matrix', pointer, MATRIX_STRIDE);
  if (matrix === undefined) return;
  const trs = new Float64Array(POSE_STRIDE);
  const recomposes = mat4.decompose(trs, 0, matrix, 0);
  delete node['matrix'];
  const [x, y, z, qx, qy, qz, qw, ...scale] = trs;
  Object.assign(node, { translation: [x, y, z], rotation: [qx, qy, qz, qw], scale });
  const message = recomposes
    ? `Node ${index} is animated but has a matrix, so the matrix was replaced by the same translation, rotation and scale`
    : `Node ${index} is animated but has a matrix, so the matrix was replaced by translation, rotation and scale; its shear is lost`;
  issues.push(issue('NODE_MATRIX_DECOMPOSED', message, { pointer }));
}

/** JSON pointers to animations, and operations of KHR_interactivity on them, whose index may be computed. */
const ANIMATION_TEXT = /^(?:\/animations(?:\/|$)|animation\/)/;

/** Pointer of a property in extensions or extras that seems to refer to animations, by its name or by its text; null without one. */
function findAnimationReference(json: JsonObject): string | null {
  const stack: { value: unknown; pointer: string; isForeign: boolean }[] = [];
  for (const [key, value] of Object.entries(json)) {
    if (key !== 'animations')
      stack.push({ value, pointer: `/${key}`, isForeign: key === 'extensions' || key === 'extras' });
  }
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const { value, pointer, isForeign } = item;
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) {
        const child: unknown = value[i];
        if (isForeign && typeof child === 'string' && ANIMATION_TEXT.test(child)) return `${pointer}/${i}`;
        if (typeof child === 'object') stack.push({ value: child, pointer: `${pointer}/${i}`, isForeign });
      }
    } else if (isObject(value)) {
      for (const [key, child] of Object.entries(value)) {
        const where = pointerTo(pointer, key);
        if (isForeign && /animations?(?:index|indices)?$/i.test(key) && holdsIndices(child)) return where;
        if (isForeign && typeof child === 'string' && ANIMATION_TEXT.test(child)) return where;
        const foreign = isForeign || key === 'extensions' || key === 'extras';
        if (typeof child === 'object') stack.push({ value: child, pointer: where, isForeign: foreign });
      }
    }
  }
  return null;
}

/** Whether a value is an index or a list of them, also as the value of a socket of KHR_interactivity. */
function holdsIndices(value: unknown): boolean {
  if (isObject(value)) return Array.isArray(value['value']) && Number.isInteger(value['value'][0]);
  return Number.isInteger(Array.isArray(value) ? value[0] : value);
}
