/** Vertices of characters in poses from every way of playing a motion at run time. */
import type { Clip } from '../../../src/core/animation/clip.ts';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import { collectSkinPoints } from '../../../src/core/asset/collect-skin-points.ts';
import { countPoints, OFFSET_STRIDE, type SkinPoints } from '../../../src/core/deform/skin-points.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { localToModelMatrices, restPose } from '../../../src/core/skeleton/pose.ts';
import { MATRIX_STRIDE } from '../../../src/core/skeleton/skeleton.ts';
import { geometryOf } from '../../../src/files/geometry.ts';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { openFile } from '../../../src/files/node.ts';

/** A character of a file, with its vertices. */
export interface Character {
  readonly humanoid: Humanoid;
  /** Vertices that move with the skeleton; null for files without, whose joints are compared. */
  readonly points: SkinPoints | null;
  /** Height in units of the file. */
  readonly height: number;
  /** Clips of the skeleton. */
  readonly clips: readonly Clip[];
}

/** Opens the character of a file; null for files without a humanoid. */
export async function openCharacter(path: string): Promise<Character | null> {
  const file = await openFile(path);
  const { found } = chooseHumanoid(file, 'target', {});
  if (found === null) return null;
  const { humanoid, part, index } = found;
  const read = await geometryOf(file).catch(() => null);
  const points = read === null || read.geometry.instances.length === 0 ? null : collectSkinPoints(read.geometry, part);
  return {
    humanoid,
    points: points !== null && countPoints(points) > 0 ? points : null,
    height: humanoid.height / humanoid.metersPerUnit,
    clips: file.asset.clips.map(({ clips }) => clips[index]),
  };
}

/** Positions of all vertices (else joints) in a pose: 3 numbers per vertex, model space. */
export function verticesOf({ humanoid, points }: Character, pose: Float32Array | Float64Array): Float64Array {
  const { parents } = humanoid.skeleton;
  const matrices = new Float64Array(MATRIX_STRIDE * parents.length);
  localToModelMatrices(matrices, parents, pose);
  if (points === null) return matrices.filter((_, k) => k % MATRIX_STRIDE >= 12 && k % MATRIX_STRIDE < 15);
  const out = new Float64Array(3 * countPoints(points));
  for (let point = 0; point < countPoints(points); point++) {
    for (let k = points.starts[point]; k < points.starts[point + 1]; k++) {
      const m = MATRIX_STRIDE * points.nodes[k];
      const o = OFFSET_STRIDE * k;
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        for (let axis = 0; axis < OFFSET_STRIDE; axis++) sum += matrices[m + 4 * axis + c] * points.offsets[o + axis];
        out[3 * point + c] += sum;
      }
    }
  }
  return out;
}

/** The pose of a clip at a time, local space. */
export function poseAt({ humanoid }: Pick<Character, 'humanoid'>, clip: Clip, time: number): Float64Array {
  const pose = restPose(humanoid.skeleton);
  sampleClip(clip, time, pose);
  return pose;
}

/** Largest distance between two sets of vertices, relative to a height. */
export function largestDistance(a: Float64Array, b: Float64Array, height: number): number {
  if (a.length !== b.length) throw new Error(`${a.length / 3} vertices are compared with ${b.length / 3}`);
  let most = 0;
  for (let k = 0; k < a.length; k += 3) {
    most = Math.max(most, Math.hypot(a[k] - b[k], a[k + 1] - b[k + 1], a[k + 2] - b[k + 2]));
  }
  return most / height;
}
