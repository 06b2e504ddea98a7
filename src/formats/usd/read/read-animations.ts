/** The animations of a USD scene as clips of its skeletons. */

import { type Clip, lastKeyTime, type Track } from '../../../core/animation/clip.ts';
import type { AssetClip, MorphTrack } from '../../../core/asset/asset.ts';
import { pointExtents } from '../../../core/deform/extents.ts';
import { FormatError } from '../../../core/report/format-error.ts';
import type { Issue } from '../../../core/report/issue.ts';
import { localToModelMatrices, modelPositions } from '../../../core/skeleton/pose.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { animationTimes, JOINT_ATTRIBUTES, type SkelAnimation } from '../skel/skel-animation.ts';
import { isUsable, prototypePath, type Stage } from '../stage/stage.ts';
import { timeSamplesOf, valuesKey } from '../stage/values.ts';
import { transformTimes } from '../stage/xform-ops.ts';
import { type AnimationGroup, groupAnimations } from './animation-groups.ts';
import type { UsdSkeleton } from './asset-skeletons.ts';
import { jointTracks, restTracks } from './joint-tracks.ts';
import { type KeyBudget, makeKeyBudget } from './key-budget.ts';
import { morphTrack } from './morph-tracks.ts';
import { type PrimTrack, primTracks } from './prim-tracks.ts';
import { restTime } from './rest-transforms.ts';
import { type Clock, clockOf, secondsOf } from './sampled-keys.ts';
import type { SceneSkeleton, UsdScene } from './scene.ts';

/** More is an attack: many skeletons that many animations fit multiply. */
const MAX_CLIPS = 1_000_000;
const MAX_TRACKS = 2_000_000;

/** What the tracks of joints are made of. */
const JOINT_VALUES = ['joints', ...JOINT_ATTRIBUTES];

/** Whether the keys of a clip are wanted, by its name and index. */
export type WantsClip = (name: string, index: number) => boolean;

/** What goes on while the animations of a scene are read. */
interface Reading {
  readonly scene: UsdScene;
  readonly skeletons: readonly UsdSkeleton[];
  readonly clock: Clock;
  readonly budget: KeyBudget;
  readonly issues: Issue[];
  /** Longest side of the box around all nodes at rest. */
  readonly size: number;
  /** By node; made once, though several skeletons may hang below it. */
  readonly primTracks: Map<number, readonly PrimTrack[]>;
  /** By definition, then by the values of the animation: those of instances, and all that refer to one animation or inherit it, share their keys. */
  readonly jointTracks: Map<object, Map<string, readonly Track[]>>;
  /** Of values of attributes that were met. */
  readonly valueNumbers: Map<object, number>;
  readonly nodeOfPrim: ReadonlyMap<string, number>;
  trackCount: number;
}

/** 1 for every node whose xformOps have samples; one sample that is the rest itself is none. */
export function movedNodes({ stage, prims, joints }: UsdScene): Uint8Array {
  return Uint8Array.from(prims, (prim, node) => {
    if (joints[node] >= 0) return 0;
    const { length } = transformTimes(stage, prim);
    return length > 1 || (length === 1 && restTime(stage, prim) === 'default') ? 1 : 0;
  });
}

/**
 * The clips of a scene: see `groupAnimations` for which SkelAnimations make them. Prims above a skeleton that move do so with the animation that it is
 * bound to; those of skeletons without one, and of trees without joints, with the first clip, or with one of their own without a name. Seconds count
 * as `clockOf` says. Clips that are not wanted have their name and nothing else. FormatError USD_LIMIT for hostile numbers of keys, tracks and clips.
 */
export function readAnimations(
  scene: UsdScene,
  skeletons: readonly UsdSkeleton[],
  isMoved: Uint8Array,
  wantsClip: WantsClip,
  issues: Issue[],
): AssetClip[] {
  const { stage, prims, joints } = scene;
  const groups = groupAnimations(stage, scene.skeletons, issues);
  const boundCount = scene.skeletons.filter(({ animated }) => animated.animation !== null).length;
  const others = otherChannels(scene, skeletons, isMoved);
  const moves = skeletons.some(({ sourceNodes }) => sourceNodes.some((node) => isMoved[node] === 1));
  if (boundCount === 0 && (moves || (others > 0 && groups.length === 0))) {
    groups.unshift({ name: '', animations: new Map() });
  }
  if (groups.length * skeletons.length > MAX_CLIPS)
    throw tooMany(`${groups.length} clips on ${skeletons.length} skeletons`);
  const reading: Reading = {
    scene,
    skeletons,
    clock: clockOf(stage, firstSample(scene, isMoved, groups)),
    budget: makeKeyBudget(),
    issues,
    size: sizeOf(scene),
    primTracks: new Map(),
    jointTracks: new Map(),
    valueNumbers: new Map(),
    nodeOfPrim: new Map(prims.flatMap((prim, node) => (joints[node] < 0 ? [[prim, node] as const] : [])).reverse()),
    trackCount: 0,
  };
  return groups.map((group, index): AssetClip => {
    const { name } = group;
    if (wantsClip(name, index)) return readGroup(reading, group, index === 0, index === 0 ? others : 0);
    const none: Clip = { name, duration: 0, tracks: [] };
    return { name, duration: 0, clips: skeletons.map(() => none), morphs: [], otherChannels: 0 };
  });
}

function tooMany(what: string): FormatError {
  return new FormatError('USD_LIMIT', `The scene has ${what}; split the file`, {});
}

/** The animations of a group, one of those that have the same values. */
function distinct(stage: Stage, animations: AnimationGroup['animations']): Iterable<SkelAnimation> {
  const bySource = new Map<string, SkelAnimation>();
  for (const animation of animations.values()) bySource.set(prototypePath(stage, animation.prim), animation);
  return bySource.values();
}

/** The first sample of what becomes keys; infinite without any. */
function firstSample({ stage, prims }: UsdScene, isMoved: Uint8Array, groups: readonly AnimationGroup[]): number {
  let first = Number.POSITIVE_INFINITY;
  for (const { animations } of groups) {
    for (const animation of distinct(stage, animations))
      first = Math.min(first, animationTimes(stage, animation)[0] ?? first);
  }
  for (const [node, prim] of prims.entries()) {
    if (isMoved[node] === 1) first = Math.min(first, transformTimes(stage, prim)[0] ?? first);
  }
  return first;
}

/** Longest side of the box around all nodes at rest; 1 where they are all in one place. */
function sizeOf({ nodes: { parents, rest } }: UsdScene): number {
  const matrices = new Float64Array(parents.length * MATRIX_STRIDE);
  const positions = new Float64Array(parents.length * 3);
  localToModelMatrices(matrices, parents, rest);
  modelPositions(positions, matrices);
  const box = new Float64Array(6);
  pointExtents(box, 0, positions);
  const size = Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
  return size > 0 && Number.isFinite(size) ? size : 1;
}

/** Attributes with samples that become no keys: visibility, points, lights, transforms of prims that are in no skeleton. */
function otherChannels(
  { stage, prims, joints }: UsdScene,
  skeletons: readonly UsdSkeleton[],
  isMoved: Uint8Array,
): number {
  const inSkeletons = new Set<number>();
  for (const { sourceNodes } of skeletons) for (const node of sourceNodes) inSkeletons.add(node);
  const moved = new Set<string>();
  for (const node of inSkeletons) if (joints[node] < 0 && isMoved[node] === 1) moved.add(prims[node]);
  let count = 0;
  for (const prim of stage.prims) {
    if (!isUsable(prim) || prim.typeName === 'SkelAnimation') continue;
    for (const name of prim.properties) {
      if (name.startsWith('xformOp:') && moved.has(prim.path)) continue;
      if (timeSamplesOf(stage, prim.path, name).length > 1) count++;
    }
  }
  return count;
}

/** `isFirst`: what moves without a bound animation moves in this one. */
function readGroup(
  reading: Reading,
  { name, animations }: AnimationGroup,
  isFirst: boolean,
  others: number,
): AssetClip {
  const { skeletons, scene } = reading;
  const clips: Clip[] = [];
  const morphs: MorphTrack[] = [];
  for (const [place, skeleton] of skeletons.entries()) {
    const animation = animations.get(place) ?? null;
    const bound = skeleton.scene?.animated.animation ?? null;
    const movesPrims = bound === null ? isFirst : bound === animation;
    const tracks: Track[] = movesPrims ? tracksOfPrims(reading, skeleton) : [];
    if (skeleton.scene !== null && animation !== null) {
      tracks.push(...onNodes(skeleton, skeleton.scene, tracksOfJoints(reading, skeleton.scene, animation)));
      morphs.push(...morphsOf(reading, skeleton.scene, animation));
    }
    reading.trackCount += tracks.length;
    if (reading.trackCount > MAX_TRACKS) throw tooMany(`more than ${MAX_TRACKS} animated properties of joints`);
    clips.push({ name, duration: lastKeyTime(tracks), tracks });
  }
  if (morphs.length === 0 && clips.every(({ tracks }) => tracks.length === 0)) {
    for (const [place, skeleton] of skeletons.entries()) {
      const animation = animations.get(place) ?? null;
      if (skeleton.scene === null || animation === null) continue;
      const rest = restOfJoints(scene, skeleton.scene);
      const pose = restTracks(scene.stage, skeleton.scene.animated.definition, animation, rest, reading.budget);
      clips[place] = { name, duration: 0, tracks: onNodes(skeleton, skeleton.scene, pose) };
    }
  }
  let duration = clips.reduce((last, clip) => Math.max(last, clip.duration), lastKeyTime(morphs));
  for (const animation of distinct(scene.stage, animations)) {
    const times = animationTimes(scene.stage, animation);
    if (times.length > 0) duration = Math.max(duration, secondsOf(reading.clock, times[times.length - 1]));
  }
  return { name, duration, clips, morphs, otherChannels: others };
}

/** Tracks of joints as those of the nodes of their skeleton, which has them last. */
function onNodes({ sourceNodes }: UsdSkeleton, { jointNodes }: SceneSkeleton, tracks: readonly Track[]): Track[] {
  const first = sourceNodes.length - jointNodes.length;
  return tracks.map((track) => ({ ...track, target: first + track.target }));
}

function restOfJoints({ nodes }: UsdScene, { jointNodes }: SceneSkeleton): Float64Array {
  const first = jointNodes[0] ?? 0;
  return nodes.rest.subarray(first * POSE_STRIDE, (first + jointNodes.length) * POSE_STRIDE) as Float64Array;
}

function tracksOfPrims(reading: Reading, { sourceNodes }: UsdSkeleton): Track[] {
  const { scene, primTracks: known } = reading;
  const { stage, prims, joints, nodes } = scene;
  return Array.from(sourceNodes).flatMap((node, target) => {
    if (joints[node] >= 0) return [];
    const tracks =
      known.get(node) ??
      primTracks(
        stage,
        prims[node],
        nodes.rest as Float64Array,
        node * POSE_STRIDE,
        reading.size,
        reading.clock,
        reading.budget,
      );
    known.set(node, tracks);
    return tracks.map((track): Track => ({ ...track, target }));
  });
}

/** Tracks whose targets are joints. */
function tracksOfJoints(reading: Reading, skeleton: SceneSkeleton, animation: SkelAnimation): readonly Track[] {
  const { scene, issues, clock, budget } = reading;
  const { definition } = skeleton.animated;
  const byAnimation = reading.jointTracks.get(definition) ?? new Map<string, readonly Track[]>();
  reading.jointTracks.set(definition, byAnimation);
  const values = JOINT_VALUES.map((name) => valuesKey(scene.stage, animation.prim, name, reading.valueNumbers));
  const source = values.includes(null) ? prototypePath(scene.stage, animation.prim) : values.join(';');
  let tracks = byAnimation.get(source);
  if (tracks === undefined) {
    const rest = restOfJoints(scene, skeleton);
    tracks = jointTracks(scene.stage, definition, animation, rest, clock, budget, issues);
    byAnimation.set(source, tracks);
  }
  return tracks;
}

function morphsOf(
  { scene, clock, budget, nodeOfPrim }: Reading,
  { bound }: SceneSkeleton,
  animation: SkelAnimation,
): MorphTrack[] {
  return bound.flatMap((prim) => {
    const sourceNode = nodeOfPrim.get(prim.prim);
    if (sourceNode === undefined) return [];
    const node = { bound: prim, sourceNode, nodeName: scene.nodes.names[sourceNode] };
    return morphTrack(scene.stage, animation, node, clock, budget) ?? [];
  });
}
