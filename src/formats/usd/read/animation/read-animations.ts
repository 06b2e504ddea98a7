import { type Clip, lastKeyTime, type Track } from '../../../../core/animation/clip.ts';
import type { AssetClip, MorphTrack, ReadClipsOptions } from '../../../../core/asset/asset.ts';
import { FormatError } from '../../../../core/report/format-error.ts';
import type { Issue } from '../../../../core/report/issue.ts';
import { POSE_STRIDE } from '../../../../core/skeleton/skeleton.ts';
import { skeletonSize } from '../../../../core/skeleton/skeleton-size.ts';
import { readEvents } from '../../event-data.ts';
import { animationTimes, JOINT_ATTRIBUTES, type SkelAnimation } from '../../skel/skel-animation.ts';
import { timeSamplesOf, valuesKey } from '../../stage/attribute-values.ts';
import { isUsable, prototypePath, type Stage } from '../../stage/stage.ts';
import { transformTimes } from '../../stage/xform-ops.ts';
import { secondsOf, type TimeCodes } from '../../time-codes.ts';
import { restTime } from '../rest-transforms.ts';
import type { SceneSkeleton, UsdScene } from '../scene.ts';
import type { UsdSkeleton } from '../skeletons/asset-skeletons.ts';
import { type AnimationGroup, groupAnimations } from './animation-groups.ts';
import { jointTracks, restTracks } from './joint-tracks.ts';
import { createKeyLimit, type KeyLimit } from './key-limit.ts';
import { morphTrack } from './morph-tracks.ts';
import { type PrimTrack, primTracks } from './prim-tracks.ts';
import { stageTimeCodes } from './sampled-keys.ts';

/** Limit on clips times skeletons: a small hostile file can make both numbers large. */
const MAX_CLIPS = 1_000_000;
const MAX_TRACKS = 2_000_000;

/** The attributes that determine the joint tracks of an animation. */
const JOINT_VALUES = ['joints', ...JOINT_ATTRIBUTES];

interface AnimationContext {
  readonly scene: UsdScene;
  readonly skeletons: readonly UsdSkeleton[];
  readonly timeCodes: TimeCodes;
  readonly keyLimit: KeyLimit;
  readonly issues: Issue[];
  readonly size: number;
  /** Cache by node, since several skeletons may be below one animated prim. */
  readonly primTracks: Map<number, readonly PrimTrack[]>;
  /**
   * Cache by skeleton definition and animation values, so that instances and animations that reference or inherit the same values share their keys.
   */
  readonly jointTracks: Map<object, Map<string, readonly Track[]>>;
  /** Numbers of the attribute values seen so far, for the keys of {@link jointTracks}. */
  readonly valueNumbers: Map<object, number>;
  readonly nodeOfPrim: ReadonlyMap<string, number>;
  trackCount: number;
}

/** Marks the nodes whose xformOps are animated. A single sample that defines the rest pose does not count. */
export function movedNodes({ stage, prims, joints }: UsdScene): Uint8Array {
  return Uint8Array.from(prims, (prim, node) => {
    if (joints[node] >= 0) return 0;
    const { length } = transformTimes(stage, prim);
    return length > 1 || (length === 1 && restTime(stage, prim) === 'default') ? 1 : 0;
  });
}

/**
 * Reads the clips of a scene; {@link groupAnimations} groups its SkelAnimations into clips.
 *
 * Animated prims above a skeleton belong to the clip of the bound animation. For skeletons without one, and for trees without joints, they belong to
 * the first clip, or to an unnamed clip if nothing is bound. {@link stageTimeCodes} defines second 0.
 */
export function readAnimations(
  scene: UsdScene,
  skeletons: readonly UsdSkeleton[],
  isMoved: Uint8Array,
  wantsClip: Required<ReadClipsOptions>['wantsClip'],
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
  const context: AnimationContext = {
    scene,
    skeletons,
    timeCodes: stageTimeCodes(stage, firstSample(scene, isMoved, groups)),
    keyLimit: createKeyLimit(),
    issues,
    size: skeletonSize(scene.nodes),
    primTracks: new Map(),
    jointTracks: new Map(),
    valueNumbers: new Map(),
    nodeOfPrim: new Map(prims.flatMap((prim, node) => (joints[node] < 0 ? [[prim, node] as const] : [])).reverse()),
    trackCount: 0,
  };
  return groups.map((group, index): AssetClip => {
    const { name } = group;
    if (wantsClip(name, index)) return readGroup(context, group, index === 0, index === 0 ? others : 0);
    const none: Clip = { name, duration: 0, tracks: [] };
    return { name, duration: 0, clips: skeletons.map(() => none), morphs: [], otherChannels: 0 };
  });
}

function tooMany(what: string): FormatError {
  return new FormatError('USD_LIMIT', `The scene has ${what}, which exceeds the limit. Split the file.`, {});
}

/** Lists the animations of a group, one per prototype. */
function distinct(stage: Stage, animations: AnimationGroup['animations']): Iterable<SkelAnimation> {
  const bySource = new Map<string, SkelAnimation>();
  for (const animation of animations.values()) bySource.set(prototypePath(stage, animation.prim), animation);
  return bySource.values();
}

/** Finds the earliest time code that becomes a key; infinite without keys. */
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

/** Counts animated attributes that clips cannot contain: visibility, points, lights, transforms of prims outside the skeletons. */
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

/** Reads a clip. The first one also contains the prims that move without a bound animation. */
function readGroup(
  context: AnimationContext,
  { name, animations }: AnimationGroup,
  isFirst: boolean,
  others: number,
): AssetClip {
  const { skeletons, scene } = context;
  const clips: Clip[] = [];
  const morphs: MorphTrack[] = [];
  for (const [index, skeleton] of skeletons.entries()) {
    const animation = animations.get(index) ?? null;
    const bound = skeleton.scene?.animated.animation ?? null;
    const movesPrims = bound === null ? isFirst : bound === animation;
    const tracks: Track[] = movesPrims ? tracksOfPrims(context, skeleton) : [];
    if (skeleton.scene !== null && animation !== null) {
      tracks.push(...onNodes(skeleton, skeleton.scene, tracksOfJoints(context, skeleton.scene, animation)));
      morphs.push(...morphsOf(context, skeleton.scene, animation));
    }
    context.trackCount += tracks.length;
    if (context.trackCount > MAX_TRACKS) throw tooMany(`more than ${MAX_TRACKS} animated properties of joints`);
    clips.push({ name, duration: lastKeyTime(tracks), tracks });
  }
  if (morphs.length === 0 && clips.every(({ tracks }) => tracks.length === 0)) {
    for (const [index, skeleton] of skeletons.entries()) {
      const animation = animations.get(index) ?? null;
      if (skeleton.scene === null || animation === null) continue;
      const rest = restOfJoints(scene, skeleton.scene);
      const { definition } = skeleton.scene.animated;
      const pose = restTracks(scene.stage, definition, animation, rest, context.keyLimit);
      clips[index] = { name, duration: 0, tracks: onNodes(skeleton, skeleton.scene, pose) };
    }
  }
  let duration = clips.reduce((last, clip) => Math.max(last, clip.duration), lastKeyTime(morphs));
  for (const animation of distinct(scene.stage, animations)) {
    const times = animationTimes(scene.stage, animation);
    if (times.length > 0) duration = Math.max(duration, secondsOf(context.timeCodes, times[times.length - 1]));
  }
  const [first] = animations.values();
  const events = first === undefined ? [] : readEvents(scene.stage, first.prim);
  return { name, duration, clips, morphs, otherChannels: others, ...(events.length === 0 ? {} : { events }) };
}

/** Retargets joint tracks to the nodes of the skeleton, where the joints are last. */
function onNodes({ sourceNodes }: UsdSkeleton, { jointNodes }: SceneSkeleton, tracks: readonly Track[]): Track[] {
  const first = sourceNodes.length - jointNodes.length;
  return tracks.map((track) => ({ ...track, target: first + track.target }));
}

function restOfJoints({ nodes }: UsdScene, { jointNodes }: SceneSkeleton): Float64Array {
  const first = jointNodes[0] ?? 0;
  return nodes.rest.subarray(first * POSE_STRIDE, (first + jointNodes.length) * POSE_STRIDE) as Float64Array;
}

function tracksOfPrims(context: AnimationContext, { sourceNodes }: UsdSkeleton): Track[] {
  const { scene, primTracks: known, timeCodes, keyLimit } = context;
  const { stage, prims, joints, nodes } = scene;
  return Array.from(sourceNodes).flatMap((node, target) => {
    if (joints[node] >= 0) return [];
    const tracks =
      known.get(node) ??
      primTracks(
        { stage, timeCodes, keyLimit },
        prims[node],
        nodes.rest as Float64Array,
        node * POSE_STRIDE,
        context.size,
      );
    known.set(node, tracks);
    return tracks.map((track): Track => ({ ...track, target }));
  });
}

/** Reads the tracks of joints, cached; their targets are joint indices. */
function tracksOfJoints(
  context: AnimationContext,
  skeleton: SceneSkeleton,
  animation: SkelAnimation,
): readonly Track[] {
  const { scene, issues, timeCodes, keyLimit } = context;
  const { definition } = skeleton.animated;
  const byAnimation = context.jointTracks.get(definition) ?? new Map<string, readonly Track[]>();
  context.jointTracks.set(definition, byAnimation);
  const values = JOINT_VALUES.map((name) => valuesKey(scene.stage, animation.prim, name, context.valueNumbers));
  const source = values.includes(null) ? prototypePath(scene.stage, animation.prim) : values.join(';');
  let tracks = byAnimation.get(source);
  if (tracks === undefined) {
    const rest = restOfJoints(scene, skeleton);
    tracks = jointTracks({ stage: scene.stage, timeCodes, keyLimit, issues }, definition, animation, rest);
    byAnimation.set(source, tracks);
  }
  return tracks;
}

function morphsOf(
  { scene, timeCodes, keyLimit, nodeOfPrim }: AnimationContext,
  { bound }: SceneSkeleton,
  animation: SkelAnimation,
): MorphTrack[] {
  return bound.flatMap((prim) => {
    const sourceNode = nodeOfPrim.get(prim.prim);
    if (sourceNode === undefined) return [];
    const node = { bound: prim, sourceNode, nodeName: scene.nodes.names[sourceNode] };
    return morphTrack(scene.stage, animation, node, timeCodes, keyLimit) ?? [];
  });
}
