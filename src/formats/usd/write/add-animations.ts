/** Clips for the skeletons of a USD file that exists: the root layer gets opinions on what is there, and nothing of it is lost. */
import { type Issue, issue } from '../../../core/report/issue.ts';
import { POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { Layer } from '../layer/layer.ts';
import { childPath } from '../layer/paths.ts';
import { groupAnimations } from '../read/animation-groups.ts';
import { clockOf } from '../read/sampled-keys.ts';
import type { SceneSkeleton, UsdScene } from '../read/scene.ts';
import { animationTimes, readSkelAnimation } from '../skel/skel-animation.ts';
import { primAt, type Stage } from '../stage/stage.ts';
import { transformTimes } from '../stage/xform-ops.ts';
import { animationSite } from './animation-site.ts';
import { definePrim } from './author-prims.ts';
import { single } from './author-values.ts';
import { sizeOf } from './character-animations.ts';
import { type LinearAnimation, linearAnimation } from './linear-animation.ts';
import { canMovePrim, movePrim, movingPrimsAbove } from './move-prims.ts';
import { copyLayer, ensurePrim } from './over-prims.ts';
import { primName, unusedName } from './prim-names.ts';
import { type ShapeChannel, shapeChannels, shapeWeights } from './shape-weights.ts';
import { codeOf, type TimeCodes, timeCodesPerSecond } from './time-codes.ts';
import type { UsdAnimation } from './usd-animation.ts';
import { writeSkelAnimation } from './write-skel-animation.ts';
import { bindAnimation } from './write-skeleton.ts';

/** What becomes of the animations that are there. */
export interface AddAnimationsOptions {
  /** Those of the skeletons that get new ones become inactive. Without it they stay, bound to nothing. */
  readonly replace: boolean;
}

/** Fields of a root layer that say how its time codes are meant. */
const CLOCK_FIELDS = ['timeCodesPerSecond', 'framesPerSecond', 'startTimeCode', 'endTimeCode'];

/**
 * Second 0 of a stage, where the reader has it too once there are more clips. A stage that says nothing of time and does not move gets codes that
 * suit the clips.
 */
function codesOf({ stage, prims, joints }: UsdScene, layer: Layer, animations: readonly UsdAnimation[]): TimeCodes {
  const { metrics } = stage;
  let first = Number.POSITIVE_INFINITY;
  for (const { path, typeName } of stage.prims) {
    if (typeName !== 'SkelAnimation') continue;
    first = Math.min(first, animationTimes(stage, readSkelAnimation(stage, path))[0] ?? first);
  }
  for (const [node, prim] of prims.entries()) {
    if (joints[node] < 0) first = Math.min(first, transformTimes(stage, prim)[0] ?? first);
  }
  const says = layer.specs.get('/')?.fields;
  if (!Number.isFinite(first) && !CLOCK_FIELDS.some((field) => says?.has(field))) {
    return { origin: 0, perSecond: timeCodesPerSecond(animations) };
  }
  const origin = Number.isFinite(first) ? clockOf(stage, first).origin : (metrics.startTimeCode ?? 0);
  return { origin, perSecond: metrics.timeCodesPerSecond };
}

/** Makes the times of a layer long enough for clips. */
function extendTimes(layer: Layer, { metrics }: Stage, codes: TimeCodes, duration: number): void {
  const { origin, perSecond } = codes;
  const fields = layer.specs.get('/')?.fields;
  const end = codeOf(codes, duration);
  if (fields === undefined || (metrics.endTimeCode !== null && metrics.endTimeCode >= end)) return;
  if (metrics.startTimeCode === null) fields.set('startTimeCode', single('double', origin));
  if (metrics.timeCodesPerSecond !== perSecond) fields.set('timeCodesPerSecond', single('double', perSecond));
  fields.set('endTimeCode', single('double', end));
}

/** A skeleton and what a clip can move of it. */
interface Edited {
  readonly skeleton: SceneSkeleton;
  readonly path: string;
  readonly channels: readonly ShapeChannel[];
}

function moves({ skeleton, channels }: Edited, { tracks, morphs }: LinearAnimation): boolean {
  return skeleton.jointNodes.some((node) => tracks.has(node)) || channels.some(({ node }) => morphs.has(node));
}

/** The animations that belong to none but the edited skeletons become inactive. */
function deactivate(layer: Layer, { stage, skeletons }: UsdScene, edited: readonly Edited[]): void {
  const places = new Set(edited.map(({ skeleton }) => skeletons.indexOf(skeleton)));
  const kept = new Set<string>();
  const old = new Set<string>();
  for (const { animations } of groupAnimations(stage, skeletons, [])) {
    for (const [place, { prim }] of animations) (places.has(place) ? old : kept).add(prim);
  }
  for (const prim of old) {
    if (!kept.has(prim)) ensurePrim(layer, stage, prim).fields.set('active', single('bool', 0));
  }
}

/** What of a clip can be written: joints, blend shapes, and other prims as far as `moves` says. The number of the tracks that cannot comes along. */
function writable(
  clip: LinearAnimation,
  { joints }: UsdScene,
  shapeNodes: ReadonlySet<number>,
  moves: (node: number) => boolean,
): { clip: LinearAnimation; lost: number } {
  const tracks = new Map([...clip.tracks].filter(([node]) => joints[node] >= 0 || moves(node)));
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
  { skeleton, channels }: Edited,
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
  const { blendShapes, weights } = shapeWeights(channels, clip.morphs);
  const motion = { joints, parents, rest, tracks, blendShapes, weights, duration: clip.duration };
  writeSkelAnimation(layer, path, clip.name, motion, codes);
}

/** The prims that are no joints, by a clip; `others` stand still. */
function movePrims(
  layer: Layer,
  scene: UsdScene,
  { tracks, duration }: LinearAnimation,
  others: readonly number[],
  codes: TimeCodes,
): void {
  for (const node of others) {
    if (!tracks.has(node) && canMovePrim(scene, node, true)) movePrim(layer, scene, node, {}, duration, codes);
  }
  for (const [node, own] of tracks) if (scene.joints[node] < 0) movePrim(layer, scene, node, own, duration, codes);
}

/**
 * The root layer of a scene with more clips: a SkelAnimation below every Skeleton that a clip moves, under one name for all of them, and that of the
 * first clip bound. Animations are on node numbers of the scene; they begin at the start of the stage, whose end is moved where they last longer. Of
 * a Skeleton in an instance see {@link animationSite}. The layer that is handed over stays as it is.
 *
 * Prims that are no joints move in one clip only: the first, where no animation that was bound before moves along ({@link canMovePrim}). With
 * `replace` those above its Skeletons that moved stand still unless it moves them. Other tracks are left out (CHANNELS_DROPPED), and clips of which
 * nothing remains (CLIP_EMPTY).
 */
export function addAnimations(
  scene: UsdScene,
  layer: Layer,
  animations: readonly UsdAnimation[],
  { replace }: AddAnimationsOptions,
  issues: Issue[],
): Layer {
  const { stage, nodes, joints } = scene;
  const out = copyLayer(layer);
  const codes = codesOf(scene, layer, animations);
  const size = sizeOf(nodes);
  const all = scene.skeletons.map((skeleton): Edited => {
    return { skeleton, path: skeleton.animated.prim, channels: shapeChannels(scene, skeleton) };
  });
  const shapeNodes = new Set(all.flatMap(({ channels }) => channels.map(({ node }) => node)));
  const isUnbound = all.every(({ skeleton }) => skeleton.animated.animation === null);
  const clips: LinearAnimation[] = [];
  let lost = 0;
  for (const animation of animations) {
    const made = linearAnimation(animation, (node) => (node < joints.length ? node : -1), size);
    const bindsJoints = all.some((one) => moves(one, made.animation));
    const movesPrims = clips.length === 0 && (bindsJoints || isUnbound);
    const kept = writable(made.animation, scene, shapeNodes, (node) => movesPrims && canMovePrim(scene, node, replace));
    lost += made.lost + kept.lost;
    if (bindsJoints || kept.clip.tracks.size > 0) {
      clips.push(kept.clip);
      continue;
    }
    const message = `The clip ${JSON.stringify(animation.name)} moves nothing that is written; it was left out`;
    issues.push(issue('CLIP_EMPTY', message));
  }
  if (lost > 0) {
    const message = `${lost} tracks are not carried over: prims that are no joints move in the first clip alone, where they stand still and their place is a translation, rotation and scale of their own`;
    issues.push(issue('CHANNELS_DROPPED', message));
  }
  const edited = all.filter((one) => clips.some((clip) => moves(one, clip)));
  if (replace) deactivate(out, scene, edited);
  const paths = edited.map(({ path }) => path);
  const sites = new Map(edited.map((one) => [one, animationSite(stage, one.path, paths)]));
  const taken = new Set([...sites.values()].flatMap(({ parent }) => primAt(stage, parent)?.children ?? []));
  for (const [k, clip] of clips.entries()) {
    const name = unusedName(primName(clip.name, 'Animation'), taken);
    for (const [one, { parent, holder }] of sites) {
      if (!moves(one, clip)) continue;
      ensurePrim(out, stage, holder);
      if (parent !== holder && !out.specs.has(parent)) definePrim(out, parent, 'Scope');
      const path = childPath(parent, name);
      // A Skeleton that two animations move stands in the scene twice; the first counts.
      if (out.specs.has(path)) continue;
      writeClip(out, one, path, clip, scene, codes);
      if (k === 0) bindAnimation(out, holder, path);
    }
  }
  if (clips.length > 0) movePrims(out, scene, clips[0], replace ? movingPrimsAbove(scene, paths) : [], codes);
  extendTimes(
    out,
    stage,
    codes,
    clips.reduce((longest, { duration }) => Math.max(longest, duration), 0),
  );
  return out;
}
