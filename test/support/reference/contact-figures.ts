/** Figures of contacts in the most obvious form: every frame and every vertex on its own, no code shared with the measures in src. */
import type { Clip } from '../../../src/core/animation/clip.ts';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import type { ContactSurface } from '../../../src/core/contacts/surface/contact-surface.ts';
import type { SkinPoints } from '../../../src/core/deform/skin-points.ts';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
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

/** A character with what can touch the ground. */
export interface TouchingBody {
  readonly humanoid: Humanoid;
  readonly surface: ContactSurface;
}

/** Returns the height of the lowest of some points of a surface above its floor. */
function lowestPoint(
  { humanoid, surface }: TouchingBody,
  clip: Clip,
  time: number,
  isWanted: (p: number) => boolean,
): number {
  const { points, floor } = surface;
  const pose = poseAt({ humanoid, skin: points }, clip, time);
  const heights: number[] = [];
  for (let point = 0; point + 1 < points.starts.length; point++) {
    if (!isWanted(point)) continue;
    let position: Vector = [0, 0, 0];
    for (let i = points.starts[point]; i < points.starts[point + 1]; i++) {
      const [x, y, z, weight] = points.offsets.subarray(4 * i, 4 * i + 4);
      const node = points.nodes[i];
      position = plus(position, rotated(pose.rotations[node], [x, y, z]));
      position = plus(position, times(pose.positions[node], weight));
    }
    heights.push(canonical(humanoid, position)[1] - points.radii[point] - floor);
  }
  return Math.min(...heights);
}

/** Frames in which a point of a foot is planted, both included. */
export interface PlainPlant {
  readonly side: 'left' | 'right';
  readonly from: number;
  readonly to: number;
}

/** A motion of a character. */
export interface PlainMotion extends TouchingBody {
  readonly clip: Clip;
}

/** Mean, 95th percentile and maximum of positive values. */
function spread(values: number[]): { mean: number; p95: number; max: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, p95: sorted[Math.floor(0.95 * (sorted.length - 1))], max: sorted.at(-1)! };
}

/** Compares soles and trunk of a target with those of the source times k, percent of the height of the target. */
export function plainContacts(
  source: PlainMotion,
  target: PlainMotion,
  k: number,
  fps: number,
  plants: readonly PlainPlant[],
) {
  const frames = Array.from({ length: Math.floor(source.clip.duration * fps) + 1 }, (_, frame) => frame);
  const percent = 100 / target.humanoid.height;
  const touches = 0.005 * source.humanoid.height;
  const lowest = (of: PlainMotion, frame: number, isWanted: (p: number) => boolean): number =>
    lowestPoint(of, of.clip, frame / fps, isWanted);
  const ofFoot = (of: PlainMotion, side: string) => (p: number) =>
    [BONE[`${side}Foot` as 'leftFoot'], BONE[`${side}Toes` as 'leftToes']].includes(of.surface.bones[p]);
  const ofTrunk = (of: PlainMotion) => (p: number) => p < of.surface.trunkEnd;
  const [deeper, higher, trunk]: [number[], number[], number[]] = [[], [], []];
  for (const frame of frames) {
    for (const side of ['left', 'right'] as const) {
      const before = lowest(source, frame, ofFoot(source, side));
      const after = lowest(target, frame, ofFoot(target, side));
      deeper.push(percent * Math.max(0, Math.min(0, k * before) - after));
      const isPlanted = plants.some((plant) => plant.side === side && frame >= plant.from && frame <= plant.to);
      if (isPlanted && before <= touches) higher.push(percent * Math.max(0, after - Math.max(0, k * before)));
    }
    const [before, after] = [lowest(source, frame, ofTrunk(source)), lowest(target, frame, ofTrunk(target))];
    if (before <= touches) {
      trunk.push(percent * Math.max(0, after - Math.max(0, k * before), Math.min(0, k * before) - after));
    }
  }
  return {
    penetration: spread(deeper),
    float: higher.length === 0 ? null : spread(higher),
    trunk: trunk.length === 0 ? null : spread(trunk),
  };
}

/** Returns how far a toe joint is at most from where it was at the start of a plant, meters. */
export function plainDrift({ humanoid, clip }: PlainMotion, { side, from, to }: PlainPlant, fps: number): number {
  const body = { humanoid, skin: { starts: new Int32Array(1) } as SkinPoints };
  const at = (frame: number): Vector => jointAt(body, poseAt(body, clip, frame / fps), BONE[`${side}Toes`]);
  const distances = Array.from({ length: to - from + 1 }, (_, i) => {
    const [a, b] = [at(from), at(from + i)];
    return Math.hypot(b[0] - a[0], b[2] - a[2]);
  });
  return Math.max(...distances);
}

/** Counts by how many samples the bend of a middle joint turns by more than 90°. */
export function plainFlips(humanoid: Humanoid, clip: Clip, limbs: readonly (readonly number[])[], fps: number): number {
  const body = { humanoid, skin: { starts: new Int32Array(1) } as SkinPoints };
  const bend = (frame: number, [a, b, c]: readonly number[]): Vector => {
    const pose = poseAt(body, clip, frame / fps);
    const [p, q, r] = [a, b, c].map((bone) => jointAt(body, pose, bone));
    const [upper, axis] = [plus(q, times(p, -1)), plus(r, times(p, -1))];
    const length = Math.hypot(...axis);
    const along = axis.reduce((sum, value, i) => sum + value * upper[i], 0) / length;
    const off = plus(upper, times(axis, -along / length));
    return times(off, 1 / Math.hypot(...upper));
  };
  let flips = 0;
  for (let frame = 1; frame <= Math.floor(clip.duration * fps); frame++) {
    for (const limb of limbs) {
      const [u, v] = [bend(frame - 1, limb), bend(frame, limb)];
      const isBent = Math.hypot(...u) > 0.05 && Math.hypot(...v) > 0.05;
      if (isBent && u.reduce((sum, value, i) => sum + value * v[i], 0) < 0) flips++;
    }
  }
  return flips;
}
