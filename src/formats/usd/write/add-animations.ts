/** Adds clips to an existing USD stage by opinions in its root layer; nothing else in the layer changes. */

import type { NewAnimation } from '../../../core/asset/asset.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { skeletonSize } from '../../../core/skeleton/skeleton-size.ts';
import { definePrim } from '../author/author-prims.ts';
import { single } from '../author/author-values.ts';
import { copyLayer, overridePrim } from '../author/override-prim.ts';
import { primName, unusedName } from '../author/prim-names.ts';
import { authorEvents } from '../event-data.ts';
import type { Layer } from '../layer/layer.ts';
import { childPath } from '../layer/paths.ts';
import { groupAnimations } from '../read/animation/animation-groups.ts';
import { stageTimeCodes } from '../read/animation/sampled-keys.ts';
import type { SceneSkeleton, UsdScene } from '../read/scene.ts';
import { animationTimes, readSkelAnimation } from '../skel/skel-animation.ts';
import { targetsOf } from '../stage/relationship-targets.ts';
import { childrenOf, primAndAncestors, primAt, type Stage } from '../stage/stage.ts';
import { transformTimes } from '../stage/xform-ops.ts';
import { codeOf, type TimeCodes } from '../time-codes.ts';
import { animatedPrimsAbove, animatePrim, canAnimatePrim } from './animate-prims.ts';
import { type BlendShapeChannel, blendShapeChannels, blendShapeWeights } from './animation/blend-shape-weights.ts';
import { type LinearAnimation, linearAnimation } from './animation/linear-animation.ts';
import { writeSkelAnimation } from './animation/write-skel-animation.ts';
import { bindAnimation } from './skeletons/write-skeleton.ts';
import { timeCodesPerSecond } from './time-code-rate.ts';
import type { WrittenLayer } from './written-layer.ts';

/** Options of {@link addAnimations}. */
interface AddAnimationsOptions {
  /** Whether the old animations of the animated skeletons become inactive. If false, they stay active but unbound. */
  readonly replace: boolean;
}

/** Layer metadata that defines time codes. */
const TIME_FIELDS = ['timeCodesPerSecond', 'framesPerSecond', 'startTimeCode', 'endTimeCode'];

/**
 * Chooses the time codes of the new animations: those with which the reader will read the edited stage. A static stage without time metadata gets
 * a rate that suits the clips.
 */
function chooseTimeCodes(
  { stage, prims, joints }: UsdScene,
  layer: Layer,
  animations: readonly NewAnimation[],
): TimeCodes {
  const { metrics } = stage;
  let first = Number.POSITIVE_INFINITY;
  for (const { path, typeName } of stage.prims) {
    if (typeName !== 'SkelAnimation') continue;
    first = Math.min(first, animationTimes(stage, readSkelAnimation(stage, path))[0] ?? first);
  }
  for (const [node, prim] of prims.entries()) {
    if (joints[node] < 0) first = Math.min(first, transformTimes(stage, prim)[0] ?? first);
  }
  const authored = layer.specs.get('/')?.fields;
  if (!Number.isFinite(first) && !TIME_FIELDS.some((field) => authored?.has(field))) {
    return { origin: 0, perSecond: timeCodesPerSecond(animations) };
  }
  const origin = Number.isFinite(first) ? stageTimeCodes(stage, first).origin : (metrics.startTimeCode ?? 0);
  return { origin, perSecond: metrics.timeCodesPerSecond };
}

function extendTimeRange(layer: Layer, { metrics }: Stage, codes: TimeCodes, duration: number): void {
  const { origin, perSecond } = codes;
  const fields = layer.specs.get('/')?.fields;
  const end = codeOf(codes, duration);
  if (fields === undefined || (metrics.endTimeCode !== null && metrics.endTimeCode >= end)) return;
  if (metrics.startTimeCode === null) fields.set('startTimeCode', single('double', origin));
  if (metrics.timeCodesPerSecond !== perSecond) fields.set('timeCodesPerSecond', single('double', perSecond));
  fields.set('endTimeCode', single('double', end));
}

/** A skeleton with its animatable blend shapes. */
interface EditedSkeleton {
  readonly skeleton: SceneSkeleton;
  readonly path: string;
  readonly channels: readonly BlendShapeChannel[];
}

function moves({ skeleton, channels }: EditedSkeleton, { tracks, morphs }: LinearAnimation): boolean {
  return skeleton.jointNodes.some((node) => tracks.has(node)) || channels.some(({ node }) => morphs.has(node));
}

function deactivate(layer: Layer, { stage, skeletons }: UsdScene, edited: readonly EditedSkeleton[]): void {
  const indices = new Set(edited.map(({ skeleton }) => skeletons.indexOf(skeleton)));
  const kept = new Set<string>();
  const old = new Set<string>();
  for (const { animations } of groupAnimations(stage, skeletons, [])) {
    for (const [index, { prim }] of animations) (indices.has(index) ? old : kept).add(prim);
  }
  for (const prim of old) {
    if (!kept.has(prim)) overridePrim(layer, stage, prim).fields.set('active', single('bool', 0));
  }
}

/**
 * Drops the tracks of a clip that cannot be written: all but those of joints, blend shapes and the prims that `canMove` accepts. Counts the lost
 * tracks.
 */
function keepWritable(
  clip: LinearAnimation,
  { joints }: UsdScene,
  shapeNodes: ReadonlySet<number>,
  canMove: (node: number) => boolean,
): { clip: LinearAnimation; lost: number } {
  const tracks = new Map([...clip.tracks].filter(([node]) => joints[node] >= 0 || canMove(node)));
  const morphs = new Map([...clip.morphs].filter(([node]) => shapeNodes.has(node)));
  const count = (of: LinearAnimation['tracks']): number => {
    return [...of.values()].reduce((sum, paths) => sum + Object.keys(paths).length, 0);
  };
  return {
    clip: { ...clip, tracks, morphs },
    lost: count(clip.tracks) - count(tracks) + clip.morphs.size - morphs.size,
  };
}

function writeClip(
  layer: Layer,
  { skeleton, channels }: EditedSkeleton,
  path: string,
  clip: LinearAnimation,
  scene: UsdScene,
  codes: TimeCodes,
): void {
  const { animated, jointNodes } = skeleton;
  const { joints, parents } = animated.definition;
  const rest = Float64Array.from({ length: POSE_STRIDE * jointNodes.length }, (_, i) => {
    return scene.nodes.rest[POSE_STRIDE * jointNodes[Math.floor(i / POSE_STRIDE)] + (i % POSE_STRIDE)];
  });
  const tracks = Array.from(jointNodes, (node) => clip.tracks.get(node));
  const { blendShapes, weights } = blendShapeWeights(channels, clip.morphs);
  const motion = { joints, parents, rest, tracks, blendShapes, weights, duration: clip.duration };
  writeSkelAnimation(layer, path, clip.name, motion, codes);
  authorEvents(layer, path, clip.events);
}

/** Animates the non-joint prims by a clip. The `stopped` nodes lose their animation unless the clip moves them. */
function movePrims(
  layer: Layer,
  scene: UsdScene,
  { tracks, duration }: LinearAnimation,
  stopped: readonly number[],
  codes: TimeCodes,
): void {
  for (const node of stopped) {
    if (!tracks.has(node) && canAnimatePrim(scene, node, true)) animatePrim(layer, scene, node, {}, duration, codes);
  }
  for (const [node, own] of tracks) if (scene.joints[node] < 0) animatePrim(layer, scene, node, own, duration, codes);
}

/**
 * Adds clips to the root layer of a scene.
 *
 * - Each clip becomes a SkelAnimation below every Skeleton that it animates, with the same name for all of them. For a Skeleton in an instance, it is in
 *   a Scope beside the instance where possible; else the instance becomes an ordinary prim. The first clip is bound.
 * - The clips begin at second 0 of the stage. Its `endTimeCode` is extended if they last longer.
 * - Non-joint prims are animated by the first clip only, if they are outside of instances and have a static transform of translation, rotation and
 *   scale, and only if the clip binds a Skeleton or no animation was bound before. With `replace`, animated prims above its Skeletons become static unless the clip animates them.
 *
 * @param scene The scene of the stage.
 * @param layer Its root layer; unchanged.
 * @param animations The clips; their `sourceNodes` are node indices of the scene.
 * @param options Whether the old animations are replaced.
 * @returns The edited copy of the layer, and the issues: CHANNELS_DROPPED for tracks that cannot be written, CLIP_EMPTY for clips without any other.
 * @example
 * const { layer } = addAnimations(scene, rootLayer, [{ name: 'walk', clip, sourceNodes }], { replace: false });
 * const bytes = new TextEncoder().encode(serializeUsda(layer));
 */
export function addAnimations(
  scene: UsdScene,
  layer: Layer,
  animations: readonly NewAnimation[],
  { replace }: AddAnimationsOptions,
): WrittenLayer {
  const issues: Issue[] = [];
  const { stage, nodes, joints } = scene;
  const out = copyLayer(layer);
  const codes = chooseTimeCodes(scene, layer, animations);
  const size = skeletonSize(nodes);
  const all = scene.skeletons.map((skeleton): EditedSkeleton => {
    return { skeleton, path: skeleton.animated.prim, channels: blendShapeChannels(scene, skeleton) };
  });
  const shapeNodes = new Set(all.flatMap(({ channels }) => channels.map(({ node }) => node)));
  const isUnbound = all.every(({ skeleton }) => skeleton.animated.animation === null);
  const clips: LinearAnimation[] = [];
  let lost = 0;
  for (const animation of animations) {
    const linear = linearAnimation(animation, (node) => (node < joints.length ? node : -1), nodes, size);
    const movesSkeleton = all.some((one) => moves(one, linear.animation));
    const movesPrims = clips.length === 0 && (movesSkeleton || isUnbound);
    const canMove = (node: number): boolean => movesPrims && canAnimatePrim(scene, node, replace);
    const kept = keepWritable(linear.animation, scene, shapeNodes, canMove);
    lost += linear.lost + kept.lost;
    if (movesSkeleton || kept.clip.tracks.size > 0) {
      clips.push(kept.clip);
      continue;
    }
    const message = `The clip ${JSON.stringify(animation.name)} animates none of the written nodes and was dropped. Check that it belongs to this character.`;
    issues.push(issue('CLIP_EMPTY', message));
  }
  if (lost > 0) {
    const message =
      `${lost} tracks cannot be written and were dropped. Prims other than joints can be animated by the first clip only, if they ` +
      'are not animated yet and not in an instance, and if their transform is a translation, rotation and scale.';
    issues.push(issue('CHANNELS_DROPPED', message));
  }
  const edited = all.filter((one) => clips.some((clip) => moves(one, clip)));
  if (replace) deactivate(out, scene, edited);
  const paths = edited.map(({ path }) => path);
  const placements = new Map(edited.map((one) => [one, animationPlacement(stage, one.path, paths)]));
  const taken = new Set([...placements.values()].flatMap(({ parent }) => primAt(stage, parent)?.children ?? []));
  for (const [k, clip] of clips.entries()) {
    const name = unusedName(primName(clip.name, 'Animation'), taken);
    for (const [one, { parent, boundPrim }] of placements) {
      if (!moves(one, clip)) continue;
      overridePrim(out, stage, boundPrim);
      if (parent !== boundPrim && !out.specs.has(parent)) definePrim(out, parent, 'Scope');
      const path = childPath(parent, name);
      // A Skeleton with two animations is in the scene twice; the first one wins.
      if (out.specs.has(path)) continue;
      writeClip(out, one, path, clip, scene, codes);
      if (k === 0) bindAnimation(out, boundPrim, path);
    }
  }
  if (clips.length > 0) movePrims(out, scene, clips[0], replace ? animatedPrimsAbove(scene, paths) : [], codes);
  extendTimeRange(
    out,
    stage,
    codes,
    clips.reduce((longest, { duration }) => Math.max(longest, duration), 0),
  );
  return { layer: out, issues };
}

/**
 * Chooses where the animations of a Skeleton are added: below the Skeleton itself or, if it is in an instance, whose prims cannot have opinions, in a
 * Scope beside the instance; the instance then inherits the binding to its descendants. This requires that nothing in the instance binds another
 * animation, that it contains no other skeleton to animate, and that it has a parent prim. Otherwise the Skeleton is returned and the instance must
 * become an ordinary prim. SkelAnimations are added below `parent`; `boundPrim` gets `skel:animationSource`.
 */
export function animationPlacement(
  stage: Stage,
  skeleton: string,
  skeletons: readonly string[],
): { parent: string; boundPrim: string } {
  const own = { parent: skeleton, boundPrim: skeleton };
  const chain = primAndAncestors(stage, skeleton);
  const top = chain.findIndex(({ isInstance, isInstanceProxy }) => isInstance && !isInstanceProxy);
  if (top <= 0) return own;
  const instance = chain[top];
  const isBoundInside = chain.slice(0, top).some(({ path }) => targetsOf(stage, path, 'skel:animationSource') !== null);
  const isShared = skeletons.some((other) => other !== skeleton && other.startsWith(`${instance.path}/`));
  if (isBoundInside || isShared || instance.parent === '/') return own;
  const others = childrenOf(stage, instance.parent).filter(({ typeName }) => typeName !== 'Scope');
  const name = unusedName(`${instance.name}_animations`, new Set(others.map((prim) => prim.name)));
  return { parent: childPath(instance.parent, name), boundPrim: instance.path };
}
