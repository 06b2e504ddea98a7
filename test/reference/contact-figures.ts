/** Figures of contacts in the most obvious form: every frame and every vertex on its own, no code shared with the measures in src. */
import type { Clip } from '../../src/core/animation/clip.ts';
import { sampleClip } from '../../src/core/animation/sample.ts';
import type { SkinPoints } from '../../src/core/contacts/surface/skin-points.ts';
import { BONE } from '../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import { plus, rotated, times, type Vector, type WorldPose, worldPose } from './plain.ts';

/** A character with all vertices of its skin; its nodes have no scale. */
export interface PlainBody {
  readonly humanoid: Humanoid;
  readonly skin: SkinPoints;
}

function poseAt({ humanoid }: PlainBody, clip: Clip, time: number): WorldPose {
  const local = Float64Array.from(humanoid.skeleton.rest);
  sampleClip(clip, time, local);
  return worldPose(humanoid.skeleton.parents, local);
}

function canonical({ frame, metersPerUnit }: Humanoid, point: Vector): Vector {
  return rotated(Array.from(frame), times(point, metersPerUnit));
}

function jointAt(body: PlainBody, pose: WorldPose, bone: number): Vector {
  return canonical(body.humanoid, pose.positions[body.humanoid.map.nodes[bone]]);
}

/** Returns the height of the lowest vertex that moves mainly with one of the bones. */
export function lowestVertex(body: PlainBody, clip: Clip, time: number, bones: readonly number[]): number {
  const { humanoid, skin } = body;
  const pose = poseAt(body, clip, time);
  const wanted = bones.map((bone) => humanoid.map.nodes[bone]).filter((node) => node >= 0);
  let lowest = Number.POSITIVE_INFINITY;
  for (let point = 0; point + 1 < skin.starts.length; point++) {
    const influences = Array.from({ length: skin.starts[point + 1] - skin.starts[point] }, (_, k) => {
      const i = skin.starts[point] + k;
      return { node: skin.nodes[i], offset: Array.from(skin.offsets.subarray(4 * i, 4 * i + 4)) };
    });
    const main = influences.reduce((best, one) => (one.offset[3] > best.offset[3] ? one : best));
    if (!wanted.includes(main.node)) continue;
    let position: Vector = [0, 0, 0];
    for (const { node, offset } of influences) {
      const moved = plus(rotated(pose.rotations[node], offset.slice(0, 3)), times(pose.positions[node], offset[3]));
      position = plus(position, moved);
    }
    lowest = Math.min(lowest, canonical(humanoid, position)[1]);
  }
  return lowest;
}

/** No motion: the rest pose, which is the reference pose. */
const REST: Clip = { name: '', duration: 0, tracks: [] };

/** Returns the mean speed of the toe joint, meters per second, weighted by how low the toe joint of `by` is. */
export function weightedSlide(by: PlainBody, byClip: Clip, of: PlainBody, ofClip: Clip, fps: number): number {
  const speeds: number[] = [];
  for (const side of ['left', 'right'] as const) {
    const [thigh, shin, foot, toes] = [
      BONE[`${side}UpperLeg`],
      BONE[`${side}LowerLeg`],
      BONE[`${side}Foot`],
      BONE[`${side}Toes`],
    ];
    const rest = (bone: number): number[] =>
      Array.from(by.humanoid.reference.positions.subarray(3 * bone, 3 * bone + 3));
    const distance = (a: number, b: number): number => Math.hypot(...rest(a).map((value, c) => value - rest(b)[c]));
    // The height of the toe joint when the lowest vertex of the foot is on the ground y = 0.
    const flat = rest(toes)[1] - lowestVertex(by, REST, 0, [foot, toes]);
    const limit = 0.025 * (distance(thigh, shin) + distance(shin, foot));
    for (let frame = 1; frame <= Math.floor(byClip.duration * fps); frame++) {
      const [t0, t1] = [(frame - 1) / fps, frame / fps];
      const a0 = jointAt(by, poseAt(by, byClip, t0), toes);
      const a1 = jointAt(by, poseAt(by, byClip, t1), toes);
      const b0 = jointAt(of, poseAt(of, ofClip, t0), toes);
      const b1 = jointAt(of, poseAt(of, ofClip, t1), toes);
      const height = (a0[1] + a1[1]) / 2 - flat;
      const weight = Math.min(1, Math.max(0, 2 - 2 ** (height / limit)));
      speeds.push(weight * Math.hypot(b1[0] - b0[0], b1[2] - b0[2]) * fps);
    }
  }
  return speeds.reduce((sum, speed) => sum + speed, 0) / speeds.length;
}

/** Returns the mean third difference of joint positions, per second cubed, relative to the height. */
export function plainJerk(humanoid: Humanoid, clip: Clip, bones: readonly number[], fps: number): number {
  const body = { humanoid, skin: { starts: new Int32Array(1) } as SkinPoints };
  const frames = Array.from({ length: Math.floor(clip.duration * fps) + 1 }, (_, k) => poseAt(body, clip, k / fps));
  const jerks: number[] = [];
  for (let k = 3; k < frames.length; k++) {
    for (const bone of bones) {
      const [d, c, b, a] = [k, k - 1, k - 2, k - 3].map((at) => jointAt(body, frames[at], bone));
      jerks.push(Math.hypot(...d.map((value, i) => value - 3 * c[i] + 3 * b[i] - a[i])) * fps ** 3);
    }
  }
  return jerks.reduce((sum, jerk) => sum + jerk, 0) / jerks.length / humanoid.height;
}

/** Solves a dense system of linear equations by Gaussian elimination with pivoting. */
export function solveDense(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]]);
  for (let i = 0; i < rows.length; i++) {
    let best = i;
    for (let k = i + 1; k < rows.length; k++) if (Math.abs(rows[k][i]) > Math.abs(rows[best][i])) best = k;
    [rows[i], rows[best]] = [rows[best], rows[i]];
    for (let k = i + 1; k < rows.length; k++) {
      const factor = rows[k][i] / rows[i][i];
      for (let c = i; c <= rows.length; c++) rows[k][c] -= factor * rows[i][c];
    }
  }
  const out = new Array<number>(rows.length).fill(0);
  for (let i = rows.length - 1; i >= 0; i--) {
    const known = out.reduce((sum, value, c) => sum + (c > i ? rows[i][c] * value : 0), 0);
    out[i] = (rows[i][rows.length] - known) / rows[i][i];
  }
  return out;
}
