import * as vec3 from '../../../core/math/vec3.ts';
import { CLEAR } from '../../../core/points/orient-points.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { AXES, type UpAxis } from './motion.ts';

/** The up axis, and what to tell about it. */
export interface FoundUp {
  readonly axis: UpAxis;
  readonly issues: readonly Issue[];
}

const NAMES: Readonly<Record<UpAxis, string>> = {
  x: '+X',
  y: '+Y',
  z: '+Z',
  '-x': '−X',
  '-y': '−Y',
  '-z': '−Z',
};

function nearestAxis(direction: ArrayLike<number>): { axis: UpAxis; share: number } {
  let best: UpAxis = 'y';
  let share = -Infinity;
  for (const [axis, of] of Object.entries(AXES) as [UpAxis, readonly number[]][]) {
    const along = vec3.dot(direction, 0, of, 0);
    if (along > share) [best, share] = [axis, along];
  }
  return { axis: best, share };
}

/**
 * Chooses the up axis: that of the caller, else the one that bodies point to on average, else that of the producer. `mean`: mean over all frames of
 * the direction in which bodies stand, in the axes of the file; its length says how much they agree. `given`: the axis of the caller; null without.
 * `declared`: the axis that the producer of such files uses; null where it is not known.
 */
export function chooseUp(mean: ArrayLike<number>, given: UpAxis | null, declared: UpAxis | null): FoundUp {
  if (given !== null) return { axis: given, issues: [] };
  const { axis, share } = nearestAxis(mean);
  const isClear = share >= CLEAR;
  if (declared !== null && (!isClear || axis === declared)) return { axis: declared, issues: [] };
  const used = isClear ? axis : (declared ?? 'y');
  const camera =
    used === '-y'
      ? '. Such files are relative to a camera: the motion leans as the camera does, and moves with it. If the program also writes the motion in the world, use that'
      : '';
  const why = isClear
    ? `bodies stand along ${NAMES[axis]}`
    : `bodies do not stand along an axis (${share.toFixed(2)} of ${CLEAR} along ${NAMES[axis]})`;
  const but = isClear && declared !== null ? `, although such files usually have ${NAMES[declared]} up` : '';
  const message = `The file does not say which axis is up; ${why}, so ${NAMES[used]} was used${but}${camera}. If the motion lies on its back or side, give its up axis`;
  return { axis: used, issues: [issue('NPZ_AXES', message)] };
}

/** Chooses the up axis by the rotations of the pelvis. `roots`: rotations of the pelvis of every take, xyzw per frame; its own up direction is +Y. */
export function measureUp(roots: readonly Float32Array[], given: UpAxis | null, declared: UpAxis | null): FoundUp {
  const mean = new Float64Array(3);
  const up = new Float64Array(3);
  let count = 0;
  for (const root of roots) {
    for (let at = 0; at < root.length; at += 4) {
      vec3.rotate(up, 0, root, at, AXES.y, 0);
      if (!Number.isFinite(up[0] + up[1] + up[2])) continue;
      vec3.add(mean, 0, mean, 0, up, 0);
      count++;
    }
  }
  vec3.scale(mean, 0, mean, 0, 1 / Math.max(1, count));
  return chooseUp(mean, given, declared);
}
