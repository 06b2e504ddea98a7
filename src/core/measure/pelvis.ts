/** Measures where the pelvis of a result goes: its height above the ground and its path over the ground, beside those of the source. */
import { BONE } from '../humanoid/bones.ts';
import { type JointFrames, pelvisAt } from './joint-frames.ts';
import { type Spread, spreadOf } from './spread.ts';

/** Horizontal distance, relative to the height, from which on a path has a scale. */
const TRAVELS = 0.1;

/** How far the scale of a path may be from the ratio of the legs; beyond that it is another path. */
const OTHER_SCALE = 1.25;

/** The pelvis of a result beside that of its source. */
export interface PelvisFigures {
  /** Difference of the heights above the ground, each relative to that with straight legs, in percent of the height of the result. */
  readonly height: Spread;
  /** Distance of the path over the ground from that of the source times one factor, in percent of the height of the result. */
  readonly path: Spread;
  /** That factor relative to the ratio of leg lengths or pelvis heights, whichever is closer; null for a source that stays. */
  readonly scale: number | null;
  /** Greatest horizontal distance of the source from its start, in its heights. */
  readonly travel: number;
}

/** Pelvis of all frames: xyz each. */
function pathOf(frames: JointFrames): Float64Array {
  const out = new Float64Array(3 * frames.times.length);
  for (let frame = 0; frame < frames.times.length; frame++) pelvisAt(out, 3 * frame, frames, frame);
  return out;
}

/** Moves a path so that its mean is above the origin. */
function centered(path: Float64Array): Float64Array {
  const count = path.length / 3;
  const mean = [0, 2].map((axis) => path.reduce((sum, v, k) => (k % 3 === axis ? sum + v : sum), 0) / count);
  return path.map((v, k) => (k % 3 === 1 ? v : v - mean[(k % 3) / 2]));
}

/** Factor between two paths over the ground, least squares; 1 for a path that stays. */
function factorOf(a: Float64Array, b: Float64Array): number {
  let [ab, aa] = [0, 0];
  for (let k = 0; k < a.length; k++) {
    if (k % 3 === 1) continue;
    ab += a[k] * b[k];
    aa += a[k] * a[k];
  }
  return aa > 0 ? ab / aa : 1;
}

/** What a result is measured against besides its source: what plain retargeting gives, and what contacts make of it. */
export interface PurposeFrames {
  readonly plain: JointFrames;
  readonly changed: JointFrames;
}

const hasHipJoints = ({ body: { nodes } }: JointFrames): boolean =>
  nodes[BONE.leftUpperLeg] >= 0 && nodes[BONE.rightUpperLeg] >= 0;

/**
 * Measures the pelvis of a result. `purpose`: what may have been changed on purpose, which does not count; null for nothing. Returns the figures;
 * null where one of them has no legs, which say how high it is.
 */
export function measurePelvis(
  source: JointFrames,
  result: JointFrames,
  purpose: PurposeFrames | null,
): PelvisFigures | null {
  if (!hasHipJoints(source) || !hasHipJoints(result)) return null;
  const count = Math.min(source.times.length, result.times.length);
  const [from, to] = [source, result].map(pathOf);
  const percent = 100 / result.body.height;
  const pelvisRatio = result.body.pelvisHeight / source.body.pelvisHeight;
  const heightError = (path: Float64Array, k: number): number =>
    Math.abs(path[3 * k + 1] - pelvisRatio * from[3 * k + 1]);
  const flat = centered(from);
  const plainPath = purpose === null ? null : pathOf(purpose.plain);
  const changedPath = purpose === null ? null : pathOf(purpose.changed);
  const ratios = [pelvisRatio, result.body.legLength / source.body.legLength];
  const fitted = factorOf(flat, centered(plainPath ?? to));
  const factor = Math.min(OTHER_SCALE * Math.max(...ratios), Math.max(Math.min(...ratios) / OTHER_SCALE, fitted));
  const pathError = (path: Float64Array, k: number): number =>
    Math.hypot(path[3 * k] - factor * flat[3 * k], path[3 * k + 2] - factor * flat[3 * k + 2]);
  const [flatTo, flatPlain, flatChanged] = [to, plainPath, changedPath].map((path) =>
    path === null ? null : centered(path),
  );
  const [heights, paths] = [new Float64Array(count), new Float64Array(count)];
  for (let k = 0; k < count; k++) {
    heights[k] = heightError(to, k);
    paths[k] = pathError(flatTo as Float64Array, k);
    if (plainPath === null || changedPath === null || flatPlain === null || flatChanged === null) continue;
    const apart = Math.abs(to[3 * k + 1] - changedPath[3 * k + 1]);
    heights[k] = Math.min(heights[k], apart + heightError(plainPath, k));
    const aside = Math.hypot(...[0, 2].map((c) => (flatTo as Float64Array)[3 * k + c] - flatChanged[3 * k + c]));
    paths[k] = Math.min(paths[k], aside + pathError(flatPlain, k));
  }
  let travel = 0;
  for (let k = 1; k < count; k++)
    travel = Math.max(travel, Math.hypot(from[3 * k] - from[0], from[3 * k + 2] - from[2]));
  travel /= source.body.height;
  const closest = ratios.map((ratio) => fitted / ratio).reduce((a, b) => (Math.abs(b - 1) < Math.abs(a - 1) ? b : a));
  return {
    height: spreadOf(heights.map((v) => v * percent)),
    path: spreadOf(paths.map((v) => v * percent)),
    scale: travel < TRAVELS ? null : closest,
    travel,
  };
}
