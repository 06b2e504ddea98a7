/** Animations of a document as clips of its skeletons. glTF 2.0 section 3.11. */
import { type Clip, lastKeyTime, PATH_WIDTH, type Track, type TrackPath } from '../../core/animation/clip.ts';
import type { AssetClip, AssetSkeleton, MorphTrack } from '../../core/asset/asset.ts';
import { componentOf, type ExpressionTrack, type LookAtTrack } from '../../core/face/face-tracks.ts';
import { BONES } from '../../core/humanoid/bones.ts';
import { clipOfHumanoidClip } from '../../core/humanoid/humanoid-clip.ts';
import { FormatError } from '../../core/report/format-error.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import type { GltfDocument } from './document.ts';
import { boneOfTarget, type ClipBodies, humanoidTarget } from './extensions/ext-humanoid-channels.ts';
import type { FaceNodes } from './extensions/vrma-face.ts';
import { morphTargetCount, morphTargetNames } from './geometry/morph-names.ts';
import type { NodeForest } from './read-nodes.ts';
import {
  createSamplerReader,
  type FileKeys,
  lastTime,
  readTrackKeys,
  readWeightKeys,
  type SamplerReader,
} from './read-samplers.ts';
import {
  arrayAt,
  indexAt,
  integerAt,
  isObject,
  type JsonObject,
  listItem,
  memberAt,
  objectAt,
  objectItem,
  required,
  stringAt,
} from './schema.ts';

/** More than this is an attack: many skeletons that share nodes and many animations multiply. */
const MAX_CLIPS = 1_000_000;
const MAX_TRACKS = 2_000_000;

/** Where a node of the file stands in one of the skeletons. */
interface Membership {
  readonly skeleton: number;
  readonly node: number;
}

/** What the channels of one animation come to. */
interface Sorting {
  readonly reader: SamplerReader;
  readonly forest: NodeForest;
  readonly members: readonly (readonly Membership[])[];
  readonly tracks: Map<string, { readonly track: Omit<Track, 'target'>; readonly at: readonly Membership[] }>;
  /** By bone and path; `target` is the bone. */
  readonly humanoid: Map<string, Track>;
  readonly morphs: Map<number, MorphTrack>;
  readonly faceNodes: FaceNodes;
  readonly expressions: Map<number, ExpressionTrack>;
  lookAt: LookAtTrack | null;
  otherChannels: number;
  duration: number;
}

/**
 * All animations, split by skeleton, the bodies of humanoid channels last. Those that are not wanted have their name and nothing else: their keys are
 * not looked at. A channel that animates a node of several skeletons goes to each. Of channels with the same node and path the last counts
 * (GLTF_ANIMATION). Keys that are odd are mended or left out as `readTrackKeys` says. FormatError GLTF_SCHEMA, GLTF_REFERENCE, GLTF_LIMIT and those
 * of `readAccessor`.
 */
export function readAnimations(
  doc: GltfDocument,
  forest: NodeForest,
  skeletons: readonly AssetSkeleton[],
  { bodies, ofAnimation }: ClipBodies,
  faceNodes: FaceNodes,
  issues: Issue[],
  wantsClip: (name: string, index: number) => boolean = () => true,
): AssetClip[] {
  const animations = arrayAt(doc.json, 'animations', '');
  const skeletonCount = skeletons.length + bodies.length;
  if (animations.length * skeletonCount > MAX_CLIPS) {
    throw tooMany(`${animations.length} animations on ${skeletonCount} skeletons`, '/animations');
  }
  const members = membersOf(forest, skeletons);
  const reader = createSamplerReader(doc, issues);
  let trackCount = 0;
  return animations.map((_, index) => {
    const pointer = `/animations/${index}`;
    const animation = objectItem(animations, index, '/animations');
    const name = stringAt(animation, 'name', pointer) ?? '';
    const sorting: Sorting = {
      reader,
      forest,
      members,
      tracks: new Map(),
      humanoid: new Map(),
      morphs: new Map(),
      faceNodes,
      expressions: new Map(),
      lookAt: null,
      otherChannels: 0,
      duration: 0,
    };
    if (wantsClip(name, index)) sortChannels(sorting, animation, pointer);
    const none: Clip = { name, duration: 0, tracks: [] };
    const tracks = new Map<number, Track[]>();
    for (const { track, at } of sorting.tracks.values()) {
      trackCount += at.length;
      if (trackCount > MAX_TRACKS) throw tooMany(`More than ${MAX_TRACKS} tracks`, pointer);
      for (const { skeleton, node } of at) {
        const list = tracks.get(skeleton) ?? [];
        if (list.length === 0) tracks.set(skeleton, list);
        list.push({ target: node, ...track });
      }
    }
    const clips = skeletons.map((_skeleton, i): Clip => {
      const list = tracks.get(i);
      return list === undefined ? none : { name, duration: lastKeyTime(list), tracks: list };
    });
    bodies.forEach(({ body, restHipsHeight }, i) => {
      const list = ofAnimation[index] === i ? [...sorting.humanoid.values()] : [];
      clips.push(clipOfHumanoidClip(body, { name, duration: lastKeyTime(list), tracks: list, restHipsHeight }));
    });
    const { duration, morphs, expressions, lookAt, otherChannels } = sorting;
    return {
      name,
      duration,
      clips,
      morphs: [...morphs.values()],
      ...(expressions.size === 0 ? {} : { expressions: [...expressions.values()] }),
      ...(lookAt === null ? {} : { lookAt }),
      otherChannels,
    };
  });
}

function tooMany(what: string, pointer: string): FormatError {
  return new FormatError('GLTF_LIMIT', `${what} are more than anyrig takes from one file`, { pointer });
}

/** Per place the skeletons that have it. */
function membersOf(forest: NodeForest, skeletons: readonly AssetSkeleton[]): readonly (readonly Membership[])[] {
  const members: Membership[][] = Array.from({ length: forest.parents.length }, () => []);
  skeletons.forEach(({ sourceNodes }, skeleton) => {
    sourceNodes.forEach((source, node) => {
      members[forest.places[source]].push({ skeleton, node });
    });
  });
  return members;
}

/** Puts each channel of an animation where it belongs. */
function sortChannels(sorting: Sorting, animation: JsonObject, pointer: string): void {
  const channels = arrayAt(animation, 'channels', pointer);
  const samplers = arrayAt(animation, 'samplers', pointer);
  channels.forEach((_, index) => {
    const where = `${pointer}/channels/${index}`;
    const channel = objectItem(channels, index, `${pointer}/channels`);
    const samplerIndex = required(integerAt(channel, 'sampler', where), 'sampler', where);
    if (samplerIndex >= samplers.length) {
      const message = `${where}/sampler is ${samplerIndex}, but the animation has only ${samplers.length} samplers`;
      throw new FormatError('GLTF_REFERENCE', message, { pointer: `${where}/sampler` });
    }
    const sampler = objectItem(samplers, samplerIndex, `${pointer}/samplers`);
    const samplerPointer = `${pointer}/samplers/${samplerIndex}`;
    sorting.duration = Math.max(sorting.duration, lastTime(sorting.reader, sampler, samplerPointer));
    if (!sortChannel(sorting, channel, where, sampler, samplerPointer)) sorting.otherChannels++;
  });
}

/** False where the channel animates nothing that clips hold. */
function sortChannel(
  sorting: Sorting,
  channel: JsonObject,
  where: string,
  sampler: JsonObject,
  samplerPointer: string,
): boolean {
  const { reader, forest, members, tracks, morphs } = sorting;
  const target = required(objectAt(channel, 'target', where), 'target', where);
  const path = required(stringAt(target, 'path', `${where}/target`), 'path', `${where}/target`);
  const node = indexAt(target, 'node', `${where}/target`, reader.doc.json, 'nodes');
  const humanoid = humanoidTarget(target);
  if (humanoid !== undefined) {
    addHumanoidChannel(sorting, boneOfTarget(humanoid), path, node, where, sampler, samplerPointer);
    return true;
  }
  const extensions = memberAt(target, 'extensions');
  if (isObject(extensions) && Object.hasOwn(extensions, 'KHR_animation_pointer')) return false;
  if (node === undefined) return false;
  const place = forest.places[node];
  const report = (message: string): void => {
    reader.issues.push(issue('GLTF_ANIMATION', message, { pointer: where }));
  };
  if (path === 'weights') {
    const mesh = meshOf(reader.doc, node);
    const targetCount = mesh === null ? 0 : morphTargetCount(mesh, `/nodes/${node}/mesh`);
    if (mesh === null || targetCount === 0) {
      report(`Node ${node} has no morph targets that its weights could be animated of; the channel was left out`);
      return true;
    }
    const keys = readWeightKeys(reader, sampler, samplerPointer, targetCount);
    if (keys === null) return true;
    if (morphs.has(node)) report(`The weights of node ${node} are animated twice; the last channel counts`);
    const names = morphTargetNames(mesh, targetCount);
    const targetNames = names === null ? {} : { targetNames: names };
    morphs.set(node, { sourceNode: node, nodeName: forest.names[place], targetCount, ...targetNames, ...keys });
    return true;
  }
  if (isFaceChannel(sorting.faceNodes, node, path)) {
    const keys = readTrackKeys(reader, sampler, samplerPointer, path, node);
    if (keys !== null && !addFaceKeys(sorting, node, path, keys))
      report(`The ${path} of node ${node} is animated twice; the last channel counts`);
    return true;
  }
  if (!isTrackPath(path) || members[place].length === 0) return false;
  const keys = readTrackKeys(reader, sampler, samplerPointer, path, node);
  if (keys === null) return true;
  const key = `${node} ${path}`;
  if (tracks.has(key)) report(`The ${path} of node ${node} is animated twice; the last channel counts`);
  const { interpolation, times, values } = keys;
  tracks.set(key, { track: { path, interpolation, times, values }, at: members[place] });
  return true;
}

/** Keeps the keys of a channel that names a bone: −1 where it names none. What is odd about it is reported as EXT_CHANNEL. */
function addHumanoidChannel(
  { reader, humanoid }: Sorting,
  bone: number,
  path: string,
  node: number | undefined,
  where: string,
  sampler: JsonObject,
  samplerPointer: string,
): void {
  const report = (message: string): void => {
    reader.issues.push(issue('EXT_CHANNEL', message, { pointer: `${where}/target` }));
  };
  if (bone < 0) {
    report('The humanoid channel names none of the 55 bones; it was left out');
    return;
  }
  if (!isTrackPath(path)) {
    report(
      `The humanoid channel is of ${JSON.stringify(path.slice(0, 40))}, expected rotation, translation or scale; it was left out`,
    );
    return;
  }
  if (node !== undefined) {
    report(
      `The channel of ${BONES[bone]} names node ${node} too, which other players turn by it; the node was passed over`,
    );
  }
  const keys = readTrackKeys(reader, sampler, samplerPointer, path, bone);
  if (keys === null) return;
  const key = `${bone} ${path}`;
  if (humanoid.has(key)) report(`The ${path} of ${BONES[bone]} is animated twice; the last channel counts`);
  const { interpolation, times, values } = keys;
  humanoid.set(key, { target: bone, path, interpolation, times, values });
}

function isTrackPath(path: string): path is TrackPath {
  return Object.hasOwn(PATH_WIDTH, path);
}

/** Whether a channel is a weight of an expression or the gaze. */
function isFaceChannel(
  { expressions, lookAt }: FaceNodes,
  node: number,
  path: string,
): path is 'translation' | 'rotation' {
  return (path === 'translation' && expressions.has(node)) || (path === 'rotation' && node === lookAt);
}

/** Keeps the keys of a face channel. False where the node had some already. */
function addFaceKeys(sorting: Sorting, node: number, path: 'translation' | 'rotation', keys: FileKeys): boolean {
  const { faceNodes, expressions } = sorting;
  if (path === 'rotation') {
    const isFirst = sorting.lookAt === null;
    const { offsetFromHeadBone } = faceNodes;
    const { interpolation, times, values } = keys;
    sorting.lookAt = { sourceNode: node, offsetFromHeadBone, interpolation, times, values };
    return isFirst;
  }
  const isFirst = !expressions.has(node);
  const name = faceNodes.expressions.get(node) as string;
  expressions.set(node, { name, sourceNode: node, ...componentOf(keys, PATH_WIDTH.translation, 0) });
  return isFirst;
}

/** The mesh of a node; null without one. */
function meshOf(doc: GltfDocument, node: number): JsonObject | null {
  const mesh = indexAt(listItem(doc.json, 'nodes', node), 'mesh', `/nodes/${node}`, doc.json, 'meshes');
  return mesh === undefined ? null : listItem(doc.json, 'meshes', mesh);
}
