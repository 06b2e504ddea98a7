/** Clips appended to a document as animations. Nothing else of the file changes. glTF 2.0 section 3.11. */
import { type Clip, PATH_WIDTH, type Track, type TrackPath } from '../../core/animation/clip.ts';
import type { MorphTrack } from '../../core/asset/asset.ts';
import { BONE_COUNT, BONES } from '../../core/humanoid/bones.ts';
import type { HumanoidClip } from '../../core/humanoid/humanoid-clip.ts';
import type { Floats } from '../../core/math/floats.ts';
import * as mat4 from '../../core/math/mat4.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import type { AccessorType } from './accessor.ts';
import { appendAccessors } from './append.ts';
import type { GltfDocument } from './document.ts';
import { extrasOfClip } from './extensions/ext-humanoid-channels.ts';
import { EXT_SKELETON_HUMANOID, usesSkeletonHumanoid } from './extensions/ext-skeleton-humanoid.ts';
import { growingList, isObject, type JsonObject, listItem, memberAt, numbersAt } from './schema.ts';
import { type StoredKeys, type StoredTimes, storeKeys, storeTimes } from './store-keys.ts';
import { dropExtension, useExtension } from './used-extensions.ts';

/** A clip and the nodes of the file that it animates. */
export interface NewAnimation {
  /** Left out of the file when empty. */
  readonly name: string;
  readonly clip: Clip;
  /** Node of the file for every target of the clip. */
  readonly sourceNodes: ArrayLike<number>;
  /** Morph weights that play along; their `sourceNode` is a node of this file. */
  readonly morphs?: readonly MorphTrack[];
  /** Motion of bones instead of nodes that plays along: channels of EXT_skeleton_humanoid, which name no node. */
  readonly humanoid?: HumanoidClip;
}

/** One channel before it is written. */
interface Channel {
  /** −1 for channels of bones. */
  readonly node: number;
  /** −1 for channels of nodes. */
  readonly bone: number;
  readonly path: TrackPath | 'weights';
  readonly keys: StoredKeys;
}

const OUTPUT_TYPES: Readonly<Record<Channel['path'], AccessorType>> = {
  translation: 'VEC3',
  rotation: 'VEC4',
  scale: 'VEC3',
  weights: 'SCALAR',
};

/** Same as {@link appendClips} for one animation: gives its index. */
export function appendClip(doc: GltfDocument, animation: NewAnimation, issues: Issue[]): number {
  return appendClips(doc, [animation], issues)[0];
}

/**
 * Appends animations and gives their indices. Keys are stored as float32; rotations become unit, those of
 * LINEAR also stay on one hemisphere (see `storeKeys`); equal key times are stored once for all tracks. An animated node with a matrix gets
 * translation, rotation and scale instead, as glTF wants it: issue NODE_MATRIX_DECOMPOSED. RangeError for clips without tracks, tracks
 * without keys or with keys that do not fit, two tracks of one node and path; FormatError when a node does not exist.
 */
export function appendClips(doc: GltfDocument, animations: readonly NewAnimation[], issues: Issue[]): number[] {
  return writeAnimations(doc, animations, planChannels(doc, animations), issues);
}

/**
 * Puts new animations in the place of all that the file has. Accessors of the old ones stay in the file, as others may
 * use them. Errors, before anything is changed, and issues as with {@link appendClips} and {@link removeAnimations}.
 */
export function replaceClips(doc: GltfDocument, animations: readonly NewAnimation[], issues: Issue[]): number[] {
  const channelLists = planChannels(doc, animations);
  removeAnimations(doc, issues);
  return writeAnimations(doc, animations, channelLists, issues);
}

/**
 * Takes all animations out of the file; their accessors stay. Issue ANIMATION_REFERENCED where an extension or extras seem to
 * name animations by index.
 */
export function removeAnimations(doc: GltfDocument, issues: Issue[]): void {
  if (memberAt(doc.json, 'animations') === undefined) return;
  const pointer = findAnimationReference(doc.json);
  if (pointer !== null) {
    const message = `The animations were removed, but ${pointer} seems to refer to animations by index; check it`;
    issues.push(issue('ANIMATION_REFERENCED', message, { pointer }));
  }
  delete doc.json['animations'];
  if (!usesSkeletonHumanoid(doc)) dropExtension(doc.json, EXT_SKELETON_HUMANOID);
}

/** Channels of every animation, all that can be wrong checked. */
function planChannels(doc: GltfDocument, animations: readonly NewAnimation[]): Channel[][] {
  const channelLists = animations.map(channelsOf);
  for (const list of channelLists) for (const { node } of list) if (node >= 0) listItem(doc.json, 'nodes', node);
  return channelLists;
}

/** Channels in the order of tracks, then of morphs, then of bones. */
function channelsOf({ clip, sourceNodes, morphs = [], humanoid }: NewAnimation): Channel[] {
  const channels: Channel[] = [];
  const taken = new Set<string>();
  const known = new Map<Floats, StoredTimes>();
  // Tracks share their times, mostly.
  const timesOf = (times: Floats): StoredTimes => {
    const stored = known.get(times) ?? storeTimes(times);
    known.set(times, stored);
    return stored;
  };
  const add = (node: number, bone: number, path: Channel['path'], keys: StoredKeys): void => {
    const target = bone < 0 ? `node ${node}` : `bone ${BONES[bone]}`;
    const key = `${target} ${path}`;
    if (taken.has(key)) throw new RangeError(`Clip "${clip.name}" animates the ${path} of ${target} twice`);
    taken.add(key);
    channels.push({ node, bone, path, keys });
  };
  const keysOf = (track: Track): StoredKeys =>
    storeKeys(track, PATH_WIDTH[track.path], track.path === 'rotation', timesOf(track.times));
  for (const track of clip.tracks) {
    if (!(track.target < sourceNodes.length)) {
      throw new RangeError(
        `Clip "${clip.name}" has target ${track.target}, but only ${sourceNodes.length} nodes are given`,
      );
    }
    add(sourceNodes[track.target], -1, track.path, keysOf(track));
  }
  for (const morph of morphs)
    add(morph.sourceNode, -1, 'weights', storeKeys(morph, morph.targetCount, false, timesOf(morph.times)));
  for (const track of humanoid?.tracks ?? []) {
    if (!(track.target >= 0 && track.target < BONE_COUNT)) {
      throw new RangeError(
        `Clip "${clip.name}" has bone ${track.target}, expected an index of the ${BONE_COUNT} bones`,
      );
    }
    add(-1, track.target, track.path, keysOf(track));
  }
  if (channels.length === 0) throw new RangeError(`Clip "${clip.name}" has no tracks; glTF has no empty animations`);
  return channels;
}

function writeAnimations(
  doc: GltfDocument,
  animations: readonly NewAnimation[],
  channelLists: readonly (readonly Channel[])[],
  issues: Issue[],
): number[] {
  const channels = channelLists.flat();
  if (channels.length === 0) return [];
  const inputs = distinct(channels.map((channel) => channel.keys.times));
  const inputAccessors = appendAccessors(
    doc,
    inputs.arrays.map((array) => ({ array, type: 'SCALAR', minMax: true })),
  );
  const outputAccessors = appendAccessors(
    doc,
    channels.map(({ path, keys }) => ({ array: keys.values, type: OUTPUT_TYPES[path] })),
  );
  for (const { node, path } of channels) if (node >= 0 && path !== 'weights') takeMatrixApart(doc, node, issues);
  if (channels.some(({ bone }) => bone >= 0)) useExtension(doc.json, EXT_SKELETON_HUMANOID);

  const list = growingList(doc.json, 'animations');
  let at = 0;
  return animations.map(({ name, humanoid }, i) => {
    const samplers = channelLists[i].map(({ keys }, k) => ({
      input: inputAccessors[inputs.indices[at + k]],
      interpolation: keys.interpolation,
      output: outputAccessors[at + k],
    }));
    const targets = channelLists[i].map((channel, sampler) => ({ sampler, target: targetOf(channel) }));
    at += samplers.length;
    const extras = humanoid === undefined ? {} : extrasOfClip(humanoid);
    return list.push({ ...(name === '' ? {} : { name }), channels: targets, samplers, ...extras }) - 1;
  });
}

/** The target of a channel. One of a bone names no node: players without the extension would take relative rotations for absolute ones. */
function targetOf({ node, bone, path }: Channel): JsonObject {
  if (bone < 0) return { node, path };
  return { path, extensions: { [EXT_SKELETON_HUMANOID]: { humanoidBoneName: BONES[bone] } } };
}

/** Arrays with different content, and which of them each given array is. */
function distinct(given: readonly Float32Array<ArrayBuffer>[]): {
  arrays: Float32Array<ArrayBuffer>[];
  indices: number[];
} {
  const arrays: Float32Array<ArrayBuffer>[] = [];
  const byHash = new Map<number, number[]>();
  const indices = given.map((array) => {
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

/** FNV-1a over the words of an array. */
function hashOf(array: Float32Array<ArrayBuffer>): number {
  let hash = 0x811c9dc5;
  for (const word of new Uint32Array(array.buffer, array.byteOffset, array.length))
    hash = Math.imul(hash ^ word, 0x01000193);
  return hash;
}

/** Gives a node with a matrix the same transform as translation, rotation and scale: a matrix must not be animated (section 3.5.3). */
function takeMatrixApart(doc: GltfDocument, index: number, issues: Issue[]): void {
  const node = listItem(doc.json, 'nodes', index);
  const pointer = `/nodes/${index}`;
  const matrix = numbersAt(node, 'matrix', pointer, 16);
  if (matrix === undefined) return;
  const trs = new Float64Array(10);
  const recomposes = mat4.decompose(trs, 0, matrix, 0);
  delete node['matrix'];
  const [x, y, z, qx, qy, qz, qw, ...scale] = trs;
  Object.assign(node, { translation: [x, y, z], rotation: [qx, qy, qz, qw], scale });
  const message = recomposes
    ? `Node ${index} is animated, so its matrix was replaced by the same translation, rotation and scale`
    : `Node ${index} is animated, so its matrix was replaced by translation, rotation and scale; its shear is lost`;
  issues.push(issue('NODE_MATRIX_DECOMPOSED', message, { pointer }));
}

/** Pointer of a member of extensions or extras that is called after animations and holds indices; null without one. */
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
        if (typeof child === 'object') stack.push({ value: child, pointer: `${pointer}/${i}`, isForeign });
      }
    } else if (isObject(value)) {
      for (const [key, child] of Object.entries(value)) {
        const where = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        if (isForeign && /animations?(?:index|indices)?$/i.test(key) && holdsIndices(child)) return where;
        const foreign = isForeign || key === 'extensions' || key === 'extras';
        if (typeof child === 'object') stack.push({ value: child, pointer: where, isForeign: foreign });
      }
    }
  }
  return null;
}

function holdsIndices(value: unknown): boolean {
  return Number.isInteger(Array.isArray(value) ? value[0] : value);
}
