/** Reads the animations of a document as clips of its skeletons. glTF 2.0 section 3.11. */
import {
  type Clip,
  type Keys,
  lastKeyTime,
  PATH_WIDTH,
  type Track,
  type TrackPath,
} from '../../../core/animation/clip.ts';
import type { AssetClip, AssetSkeleton, MorphTrack } from '../../../core/asset/asset.ts';
import { type ExpressionTrack, extractComponent, type LookAtTrack } from '../../../core/face/face-tracks.ts';
import { BONES } from '../../../core/humanoid/bones.ts';
import { fromHumanoidClip } from '../../../core/humanoid/humanoid-clip.ts';
import { FormatError } from '../../../core/report/format-error.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { GltfDocument } from '../document/document.ts';
import {
  arrayAt,
  indexAt,
  integerAt,
  type JsonObject,
  listItem,
  objectAt,
  objectItem,
  objectsAt,
  required,
  stringAt,
} from '../document/json-access.ts';
import { readEvents, readOtherExtras } from '../extensions/event-extras.ts';
import { boneOfTarget, type ChannelRigs, humanoidTarget } from '../extensions/ext-humanoid-channels.ts';
import { hasPointer, pointedNode } from '../extensions/khr-animation-pointer.ts';
import type { FaceNodes } from '../extensions/vrma-face.ts';
import { morphTargetCount, morphTargetNames } from '../meshes/morph-target-names.ts';
import type { NodeForest } from './read-nodes.ts';
import { createSamplerReader, lastTime, readTrackKeys, readWeightKeys, type SamplerReader } from './read-samplers.ts';

/** Limit for animations × skeletons: a small malicious file can have many of both. */
const MAX_CLIPS = 1_000_000;
/** Limit for the tracks of all clips: skeletons that share nodes multiply them. */
const MAX_TRACKS = 2_000_000;

interface Membership {
  readonly skeleton: number;
  readonly node: number;
}

interface ChannelReading {
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

interface AnimatedParts {
  readonly forest: NodeForest;
  readonly skeletons: readonly AssetSkeleton[];
  /** Canonical rigs of the humanoid channels; their clips follow those of the skeletons. */
  readonly clipRigs: ChannelRigs;
  readonly faceNodes: FaceNodes;
}

/**
 * Reads all animations, split by skeleton. A channel of a node that several skeletons contain goes to each of them. The last of several channels
 * with the same node and path counts. Invalid keys are repaired or dropped by `readTrackKeys`. `issues` receives GLTF_ANIMATION, KEYS_REPAIRED and
 * EXT_CHANNEL. Throws FormatError GLTF_SCHEMA, GLTF_REFERENCE, GLTF_LIMIT; errors of `readAccessor`.
 */
export function readAnimations(
  doc: GltfDocument,
  { forest, skeletons, clipRigs: { rigs, rigOfAnimation }, faceNodes }: AnimatedParts,
  issues: Issue[],
  wantsClip: (name: string, index: number) => boolean = () => true,
): AssetClip[] {
  const count = arrayAt(doc.json, 'animations', '').length;
  const skeletonCount = skeletons.length + rigs.length;
  if (count * skeletonCount > MAX_CLIPS) {
    throw tooMany(`${count} animations on ${skeletonCount} skeletons`, '/animations');
  }
  const members = membersOf(forest, skeletons);
  const reader = createSamplerReader(doc, issues);
  let trackCount = 0;
  return Array.from(objectsAt(doc.json, 'animations', ''), ({ json: animation, pointer, index }) => {
    const name = stringAt(animation, 'name', pointer) ?? '';
    const reading: ChannelReading = {
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
    if (wantsClip(name, index)) readChannels(reading, animation, pointer);
    const none: Clip = { name, duration: 0, tracks: [] };
    const tracks = new Map<number, Track[]>();
    for (const { track, at } of reading.tracks.values()) {
      trackCount += at.length;
      if (trackCount > MAX_TRACKS) throw tooMany(`more than ${MAX_TRACKS} tracks`, pointer);
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
    rigs.forEach(({ rig, restHipsHeight }, i) => {
      const list = rigOfAnimation[index] === i ? [...reading.humanoid.values()] : [];
      clips.push(fromHumanoidClip(rig, { name, duration: lastKeyTime(list), tracks: list, restHipsHeight }));
    });
    const { duration, morphs, expressions, lookAt, otherChannels } = reading;
    const events = readEvents(animation);
    const extras = readOtherExtras(animation);
    return {
      name,
      duration,
      clips,
      morphs: [...morphs.values()],
      ...(expressions.size === 0 ? {} : { expressions: [...expressions.values()] }),
      ...(lookAt === null ? {} : { lookAt }),
      ...(events.length === 0 ? {} : { events }),
      ...(extras !== undefined && { extras }),
      otherChannels,
    };
  });
}

function tooMany(what: string, pointer: string): FormatError {
  const message = `The file has ${what}, which exceeds the limit of anyrig; the file is probably malicious`;
  return new FormatError('GLTF_LIMIT', message, { pointer });
}

function membersOf(forest: NodeForest, skeletons: readonly AssetSkeleton[]): readonly (readonly Membership[])[] {
  const members: Membership[][] = Array.from({ length: forest.parents.length }, () => []);
  skeletons.forEach(({ sourceNodes }, skeleton) => {
    sourceNodes.forEach((source, node) => {
      members[forest.nodesBySource[source]].push({ skeleton, node });
    });
  });
  return members;
}

function readChannels(reading: ChannelReading, animation: JsonObject, pointer: string): void {
  const samplers = arrayAt(animation, 'samplers', pointer);
  for (const { json: channel, pointer: where } of objectsAt(animation, 'channels', pointer)) {
    const samplerIndex = required(integerAt(channel, 'sampler', where), 'sampler', where);
    if (samplerIndex >= samplers.length) {
      const message = `${where}/sampler is ${samplerIndex}, but the animation has only ${samplers.length} samplers`;
      throw new FormatError('GLTF_REFERENCE', message, { pointer: `${where}/sampler` });
    }
    const sampler = objectItem(samplers, samplerIndex, `${pointer}/samplers`);
    const samplerPointer = `${pointer}/samplers/${samplerIndex}`;
    reading.duration = Math.max(reading.duration, lastTime(reading.reader, sampler, samplerPointer));
    if (!readChannel(reading, channel, where, sampler, samplerPointer)) reading.otherChannels++;
  }
}

/** Reads a channel. Returns false if clips cannot express its target. */
function readChannel(
  reading: ChannelReading,
  channel: JsonObject,
  where: string,
  sampler: JsonObject,
  samplerPointer: string,
): boolean {
  const { reader, forest, members, tracks, morphs } = reading;
  const target = required(objectAt(channel, 'target', where), 'target', where);
  const targetPointer = `${where}/target`;
  const named = required(stringAt(target, 'path', targetPointer), 'path', targetPointer);
  const isPointer = hasPointer(target);
  const pointed = isPointer ? pointedNode(target, forest.parents.length) : null;
  const path = pointed?.path ?? named;
  const node = pointed?.node ?? indexAt(target, 'node', targetPointer, reader.doc.json, 'nodes');
  const humanoid = humanoidTarget(target);
  if (humanoid !== undefined) {
    addHumanoidChannel(reading, { bone: boneOfTarget(humanoid), path, node, where }, sampler, samplerPointer);
    return true;
  }
  if (node === undefined || (isPointer && pointed === null)) return false;
  const forestNode = forest.nodesBySource[node];
  const report = (message: string): void => {
    reader.issues.push(issue('GLTF_ANIMATION', message, { pointer: where }));
  };
  if (path === 'weights') {
    const mesh = meshOf(reader.doc, node);
    const targetCount = mesh === null ? 0 : morphTargetCount(mesh, `/nodes/${node}/mesh`);
    if (mesh === null || targetCount === 0) {
      report(`The channel animates morph weights of node ${node}, which has no morph targets; the channel was dropped`);
      return true;
    }
    const keys = readWeightKeys(reader, sampler, samplerPointer, targetCount);
    if (keys === null) return true;
    if (morphs.has(node))
      report(`The animation has two channels for the weights of node ${node}; the last one was used`);
    const names = morphTargetNames(mesh, targetCount);
    const targetNames = names === null ? {} : { targetNames: names };
    morphs.set(node, { sourceNode: node, nodeName: forest.names[forestNode], targetCount, ...targetNames, ...keys });
    return true;
  }
  if (isFaceChannel(reading.faceNodes, node, path)) {
    const keys = readTrackKeys(reader, sampler, samplerPointer, path, node);
    if (keys !== null && !addFaceKeys(reading, node, path, keys))
      report(`The animation has two channels for the ${path} of node ${node}; the last one was used`);
    return true;
  }
  if (!isTrackPath(path) || members[forestNode].length === 0) return false;
  const keys = readTrackKeys(reader, sampler, samplerPointer, path, node);
  if (keys === null) return true;
  const key = `${node} ${path}`;
  if (tracks.has(key)) report(`The animation has two channels for the ${path} of node ${node}; the last one was used`);
  const { interpolation, times, values } = keys;
  tracks.set(key, { track: { path, interpolation, times, values }, at: members[forestNode] });
  return true;
}

interface HumanoidChannel {
  /** Index in BONES; −1 for an unknown bone. */
  readonly bone: number;
  readonly path: string;
  /** Node that the channel names, too. */
  readonly node: number | undefined;
  readonly where: string;
}

/** Reads a channel of EXT_skeleton_humanoid. Problems are reported as EXT_CHANNEL. */
function addHumanoidChannel(
  { reader, humanoid }: ChannelReading,
  { bone, path, node, where }: HumanoidChannel,
  sampler: JsonObject,
  samplerPointer: string,
): void {
  const report = (message: string): void => {
    reader.issues.push(issue('EXT_CHANNEL', message, { pointer: `${where}/target` }));
  };
  if (bone < 0) {
    report('The humanoid channel has no valid humanoidBoneName (one of the 55 bones); it was dropped');
    return;
  }
  if (!isTrackPath(path)) {
    report(
      `The path of the humanoid channel is ${JSON.stringify(path.slice(0, 40))}, expected rotation, translation or scale; it was dropped`,
    );
    return;
  }
  if (node !== undefined) {
    report(
      `The channel of ${BONES[bone]} also has target.node ${node}, which players without the extension would animate; the node was ignored`,
    );
  }
  const keys = readTrackKeys(reader, sampler, samplerPointer, path, bone);
  if (keys === null) return;
  const key = `${bone} ${path}`;
  if (humanoid.has(key))
    report(`The animation has two channels for the ${path} of ${BONES[bone]}; the last one was used`);
  const { interpolation, times, values } = keys;
  humanoid.set(key, { target: bone, path, interpolation, times, values });
}

function isTrackPath(path: string): path is TrackPath {
  return Object.hasOwn(PATH_WIDTH, path);
}

/** Whether a channel animates an expression weight or the look-at direction. */
function isFaceChannel(
  { expressions, lookAt }: FaceNodes,
  node: number,
  path: string,
): path is 'translation' | 'rotation' {
  return (path === 'translation' && expressions.has(node)) || (path === 'rotation' && node === lookAt);
}

/** Stores the keys of a face channel. Returns false if the node already had keys. */
function addFaceKeys(reading: ChannelReading, node: number, path: 'translation' | 'rotation', keys: Keys): boolean {
  const { faceNodes, expressions } = reading;
  if (path === 'rotation') {
    const isFirst = reading.lookAt === null;
    const { offsetFromHeadBone } = faceNodes;
    const { interpolation, times, values } = keys;
    reading.lookAt = { sourceNode: node, offsetFromHeadBone, interpolation, times, values };
    return isFirst;
  }
  const isFirst = !expressions.has(node);
  const name = faceNodes.expressions.get(node) as string;
  expressions.set(node, { name, sourceNode: node, ...extractComponent(keys, PATH_WIDTH.translation, 0) });
  return isFirst;
}

/** Mesh of a source node; null without one. */
function meshOf(doc: GltfDocument, node: number): JsonObject | null {
  const mesh = indexAt(listItem(doc.json, 'nodes', node), 'mesh', `/nodes/${node}`, doc.json, 'meshes');
  return mesh === undefined ? null : listItem(doc.json, 'meshes', mesh);
}
