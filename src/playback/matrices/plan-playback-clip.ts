import { hipsOffset } from '../../core/retarget/hips-position.ts';
import type { HipsPlan } from '../../core/retarget/plan-types.ts';
import { applyLinear } from '../../core/retarget/transform-point.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../core/skeleton/skeleton.ts';
import { CHANNEL_STRIDE, type CompiledClip, reflectCompiledClip, sampleCompiledClip } from '../compiled-clip.ts';
import type { PlaybackClip, PlaybackPlan } from './playback-plan.ts';

/** A prepared clip, or the reason why the plan cannot play it. */
type PlaybackClipPlanning =
  | { readonly clip: PlaybackClip; readonly reason: null }
  | { readonly clip: null; readonly reason: string };

/** Largest relative difference between a constant scale of a clip and the rest scale. */
const SAME_SCALE = 1e-5;
/** Floats per moving offset in {@link PlaybackClip.movingLinear}. */
const LINEAR_STRIDE = 12;

/**
 * Computes where a compiled clip of the source brings the node that carries the target's pelvis in each of its frames: offsets from its reference
 * position, canonical frame, meters of the target.
 */
function hipsFrames(hips: HipsPlan, compiled: CompiledClip): Float32Array {
  const offsets = new Float32Array(CHANNEL_STRIDE * compiled.frameCount);
  const pose = new Float32Array(compiled.base.length);
  const offset = new Float64Array(3);
  for (let frame = 0; frame < compiled.frameCount; frame++) {
    const isLast = frame + 1 === compiled.frameCount;
    sampleCompiledClip(compiled, isLast ? compiled.duration : frame / compiled.frameRate, pose);
    hipsOffset(offset, hips, pose);
    offsets.set(offset, CHANNEL_STRIDE * frame);
  }
  return offsets;
}

/** Explains why a clip cannot be played by a plan; null if it can. */
function refusal(plan: PlaybackPlan, compiled: CompiledClip): string | null {
  if (plan.isRetargeted) return null;
  for (let step = 0; step < plan.stepNodes.length; step++) {
    const node = plan.stepNodes[step];
    if (compiled.scaled.includes(node)) return `the clip animates the scale of node ${node}`;
    const rest = plan.stepScales[step];
    for (let c = 0; c < 3; c++) {
      const scale = compiled.base[POSE_STRIDE * node + PATH_OFFSET.scale + c];
      if (!(Math.abs(scale - rest) <= SAME_SCALE * Math.abs(rest))) {
        return `the clip scales node ${node} by ${scale}, but its rest scale is ${rest}`;
      }
    }
  }
  return null;
}

/** Writes `linear · v` minus the bind position of the parent. */
function writeOffset(out: Float32Array, plan: PlaybackPlan, k: number, v: ArrayLike<number>): void {
  const offset = new Float64Array(3);
  applyLinear(offset, 0, plan.toParents.subarray(9 * k, 9 * k + 9), v, 0);
  const parent = plan.parents[k];
  for (let c = 0; c < 3; c++) out[CHANNEL_STRIDE * k + c] = offset[c] - (parent < 0 ? 0 : plan.binds[3 * parent + c]);
}

/** Writes three columns of `toParents · linear`; without `linear` of `toParents`. */
function writeLinear(out: Float32Array, o: number, plan: PlaybackPlan, k: number, linear: Float64Array | null): void {
  const toParent = plan.toParents.subarray(9 * k, 9 * k + 9);
  const column = new Float64Array(3);
  for (let c = 0; c < 3; c++) {
    if (linear === null) column.set(toParent.subarray(3 * c, 3 * c + 3));
    else applyLinear(column, 0, toParent, linear, 3 * c);
    out.set(column, o + CHANNEL_STRIDE * c);
  }
}

/** Prepares a compiled clip of the skeleton that a plan animates. Returns the reason where the plan cannot play it: animated scales. */
export function planPlaybackClip(plan: PlaybackPlan, clip: CompiledClip): PlaybackClipPlanning {
  const nodeCount = clip.base.length / POSE_STRIDE;
  if (nodeCount !== plan.nodeCount) {
    const reason = `the clip has ${nodeCount} nodes, but the skeleton of the plan has ${plan.nodeCount}`;
    return { clip: null, reason };
  }
  const compiled = plan.signs === null ? clip : reflectCompiledClip(clip, plan.signs);
  const reason = refusal(plan, compiled);
  if (reason !== null) return { clip: null, reason };
  const { stepNodes, nodes } = plan;
  const stepKeys = new Int32Array(stepNodes.length).fill(-1);
  const stepRotations = new Float32Array(CHANNEL_STRIDE * stepNodes.length);
  for (let step = 0; step < stepNodes.length; step++) {
    const key = compiled.rotated.indexOf(stepNodes[step]);
    if (key >= 0) stepKeys[step] = CHANNEL_STRIDE * key;
    const at = POSE_STRIDE * stepNodes[step] + PATH_OFFSET.rotation;
    stepRotations.set(compiled.base.subarray(at, at + 4), CHANNEL_STRIDE * step);
  }

  const offsets = new Float32Array(CHANNEL_STRIDE * nodes.length);
  const moving: number[] = [];
  const movingKeys: number[] = [];
  const hipsIndex = plan.hips === null ? -1 : nodes.indexOf(plan.hips.targetNode);
  const linears: number[] = [];
  const linear = new Float32Array(LINEAR_STRIDE);
  for (let k = 0; k < nodes.length; k++) {
    const base = POSE_STRIDE * nodes[k];
    const key = plan.isRetargeted ? -1 : compiled.translated.indexOf(nodes[k]);
    if (k === hipsIndex && plan.hips !== null) {
      writeOffset(offsets, plan, k, plan.hips.targetBase);
      movingKeys.push(0);
      writeLinear(linear, 0, plan, k, plan.hips.targetLinear);
    } else if (key >= 0) {
      writeOffset(offsets, plan, k, [0, 0, 0]);
      movingKeys.push(CHANNEL_STRIDE * (compiled.rotated.length + key));
      writeLinear(linear, 0, plan, k, null);
    } else {
      const rest = plan.isRetargeted
        ? plan.translations.subarray(3 * k, 3 * k + 3)
        : compiled.base.subarray(base, base + 3);
      writeOffset(offsets, plan, k, rest);
      continue;
    }
    moving.push(k);
    linears.push(...linear);
  }
  const usesHips = hipsIndex >= 0 && plan.hips !== null;
  const prepared: PlaybackClip = {
    compiled,
    stepKeys,
    stepRotations,
    offsets,
    moving: Int32Array.from(moving),
    movingKeys: Int32Array.from(movingKeys),
    translationKeys: usesHips ? hipsFrames(plan.hips, compiled) : compiled.frames,
    translationStride: usesHips ? CHANNEL_STRIDE : compiled.frameStride,
    movingLinear: Float32Array.from(linears),
  };
  return { clip: prepared, reason: null };
}
