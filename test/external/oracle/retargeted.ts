/** Retargets one motion file to one character file with the library. */
import type { Clip } from '../../../src/core/animation/clip.ts';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import type { Asset } from '../../../src/core/asset/asset.ts';
import { describeHumanoid } from '../../../src/core/humanoid/describe-humanoid.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { planRetarget } from '../../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../../src/core/retarget/retarget-clip.ts';
import { localToModelMatrices, localToModelRotations, restPose } from '../../../src/core/skeleton/pose.ts';

/** A humanoid skeleton of a file. */
export interface AssetHumanoid {
  readonly humanoid: Humanoid;
  /** Index in the file of every node of the skeleton. */
  readonly sourceNodes: Int32Array;
  /** Motions of the skeleton, in the order of the file. */
  readonly clips: readonly Clip[];
}

/** Finds the first humanoid of a file. Throws an error with the reasons if there is none. */
export function findAssetHumanoid({ format, skeletons, clips }: Asset): AssetHumanoid {
  const reasons: string[] = [];
  for (const [k, { skeleton, declared, sourceNodes }] of skeletons.entries()) {
    const motions = clips.map((clip) => clip.clips[k]);
    const { humanoid, reason } = describeHumanoid(skeleton, {
      declared,
      motion: motions.find(({ tracks }) => tracks.length > 0) ?? null,
      metersPerUnit: format === 'bvh' ? null : 1,
    });
    if (humanoid !== null) return { humanoid, sourceNodes, clips: motions };
    reasons.push(reason);
  }
  throw new Error(`No humanoid: ${reasons.join('; ')}`);
}

/** Retargets a clip to another humanoid. */
export function retargeted(source: AssetHumanoid, target: AssetHumanoid, clip = 0): Clip {
  return retargetClip(planRetarget(source.humanoid, target.humanoid), source.clips[clip]);
}

/** World transforms of every node in file space: rotations (4 floats per node) and matrices (16 floats per node). */
export interface WorldPose {
  readonly rotations: Float64Array;
  readonly matrices: Float64Array;
}

export function worldPose({ humanoid: { skeleton } }: AssetHumanoid, clip: Clip, time: number): WorldPose {
  const { parents } = skeleton;
  const local = restPose(skeleton);
  sampleClip(clip, time, local);
  const rotations = new Float64Array(4 * parents.length);
  const matrices = new Float64Array(16 * parents.length);
  localToModelRotations(rotations, parents, local);
  localToModelMatrices(matrices, parents, local);
  return { rotations, matrices };
}
