/** Random playback plans and the matrices that the general path gives for them: local pose, model matrices, skinning matrices. */
import { skinningMatrices } from '../../../src/core/deform/skinning-matrices.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import * as mat4 from '../../../src/core/math/mat4.ts';
import { localToModelMatrices } from '../../../src/core/skeleton/pose.ts';
import { MATRIX_STRIDE } from '../../../src/core/skeleton/skeleton.ts';
import { pick, type Random } from '../../../src/demo/random.ts';
import { compileClip } from '../../../src/playback/compile-clip.ts';
import { type CompiledClip, sampleCompiledClip } from '../../../src/playback/compiled-clip.ts';
import { planPlayback } from '../../../src/playback/matrices/plan-playback.ts';
import { planPlaybackClip } from '../../../src/playback/matrices/plan-playback-clip.ts';
import type { PlaybackClip, PlaybackPlan, PlaybackSkin } from '../../../src/playback/matrices/playback-plan.ts';
import { randomSigns, reflect } from '../../support/make/change-rig.ts';
import { randomClip, randomPose } from '../../support/make/random-clip.ts';
import { randomRig } from '../../support/make/random-rig.ts';

/** A plan, a clip for it, and the general path. */
export interface PlaybackCase {
  readonly plan: PlaybackPlan;
  readonly clip: PlaybackClip;
  /** Size of the character, units of the file: errors of translations are relative to it. */
  readonly size: number;
  /** Computes the matrices of the plan from local poses, in float64. */
  readonly expected: (time: number) => Float64Array;
}

/** Returns a skin of every second node, bound in a random pose; in a third of the cases from mesh units of another scale. */
export function randomSkin(random: Random, humanoid: Humanoid): PlaybackSkin {
  const { parents } = humanoid.skeleton;
  const joints = Int32Array.from(parents.keys())
    .filter((node) => node % 2 === 0 || random() < 0.5)
    .reverse();
  const model = new Float64Array(MATRIX_STRIDE * parents.length);
  localToModelMatrices(model, parents, randomPose(random, humanoid));
  const inverseBind = new Float64Array(MATRIX_STRIDE * joints.length);
  const unit = pick(random, [1, 1, 100]);
  for (const [joint, node] of joints.entries()) {
    mat4.invertAffine(inverseBind, MATRIX_STRIDE * joint, model, MATRIX_STRIDE * node);
    for (let i = 0; i < 12; i++) inverseBind[MATRIX_STRIDE * joint + i] *= unit;
  }
  return { joints, inverseBind };
}

/** Computes model or skinning matrices of a local pose. */
export function matricesOf(
  humanoid: Humanoid,
  pose: Float32Array | Float64Array,
  skin: PlaybackSkin | null,
): Float64Array {
  const { parents } = humanoid.skeleton;
  const model = new Float64Array(MATRIX_STRIDE * parents.length);
  localToModelMatrices(model, parents, pose);
  if (skin === null) return model;
  const out = new Float64Array(MATRIX_STRIDE * skin.joints.length);
  skinningMatrices(out, model, skin.joints, Float64Array.from(skin.inverseBind ?? []));
  return out;
}

/** Compiles a random clip of a humanoid at 30 frames per second. */
export function compiledClip(random: Random, humanoid: Humanoid): CompiledClip {
  const clip = randomClip(random, humanoid, { style: 'smooth', isShort: true });
  return compileClip(humanoid.skeleton, clip, { frameRate: 30 });
}

const sizeOf = ({ height, metersPerUnit }: Humanoid): number => height / metersPerUnit;

/** Creates a case in which a clip plays on its own skeleton. */
export function ownCase(random: Random): PlaybackCase {
  const rig = randomRig(random).humanoid;
  const humanoid = pick(random, [rig, reflect(rig, randomSigns(random, rig)).humanoid]);
  const skin = pick(random, [humanoid === rig ? null : randomSkin(random, humanoid), randomSkin(random, humanoid)]);
  const compiled = compiledClip(random, humanoid);
  const { plan, reason } = planPlayback(humanoid.skeleton, skin);
  if (plan === null) throw new Error(reason);
  const { clip, reason: clipReason } = planPlaybackClip(plan, compiled);
  if (clip === null) throw new Error(clipReason);
  const pose = new Float32Array(compiled.base.length);
  const expected = (time: number): Float64Array => {
    sampleCompiledClip(compiled, time, pose);
    return matricesOf(humanoid, pose, skin);
  };
  return { plan, clip, size: sizeOf(humanoid), expected };
}

/** Returns how far matrices are from the expected ones: linear parts relative to the largest one, translations relative to the size. */
export function matrixError(actual: ArrayLike<number>, expected: ArrayLike<number>, size: number): number {
  let scale = 0;
  let farthest = size;
  for (let i = 0; i < expected.length; i++) {
    if (i % MATRIX_STRIDE < 12) scale = Math.max(scale, Math.abs(expected[i]));
    else if (i % MATRIX_STRIDE < 15) farthest = Math.max(farthest, Math.abs(expected[i]));
  }
  let worst = 0;
  for (let i = 0; i < expected.length; i++) {
    if (Number.isNaN(actual[i])) return Number.NaN;
    worst = Math.max(worst, Math.abs(actual[i] - expected[i]) / (i % MATRIX_STRIDE < 12 ? scale : farthest));
  }
  return worst;
}
