/** Smooths poses that arrive frame by frame: the One Euro filter (Casiez, Roussel and Vogel, CHI 2012) for rotations and positions. */
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { POSE_STRIDE } from '../skeleton/skeleton.ts';

/** How poses are smoothed. */
interface LiveFilterOptions {
  /** Cutoff frequency at rest, Hz; 1.2 by default. Lower is steadier and later. */
  readonly cutoff?: number;
  /** Growth of the cutoff with the speed, Hz per rad/s of a joint and per m/s of the root; 0.4 by default. Higher follows fast movements more closely. */
  readonly response?: number;
}

/** Smooths poses one after the other. */
export interface LiveFilter {
  /**
   * Smooths a pose in place. It allocates no array or object. The first pose stays as it is.
   *
   * @param pose 10 floats per node, local; translations in meters.
   * @param seconds Time since the pose before.
   */
  readonly filter: (pose: Floats, seconds: number) => void;
  /** Forgets the poses so far, such as after a cut. */
  readonly reset: () => void;
}

const CUTOFF = 1.2;
const RESPONSE = 0.4;
/** Cutoff of the speeds, Hz, as in the paper. */
const SPEED_CUTOFF = 1;

/** Share of the new value in a low-pass of the first order. */
function shareOf(cutoff: number, seconds: number): number {
  const turn = 2 * Math.PI * cutoff * seconds;
  return turn / (turn + 1);
}

/**
 * Creates a filter for poses that arrive frame by frame, such as those of `createPoseFromPoints`: steady at rest, and nearly without delay when fast.
 *
 * @param nodes Number of nodes of the poses.
 * @returns A filter for the poses of one character.
 * @throws RangeError for a cutoff that is not above 0 or a response below 0.
 * @experimental
 */
export function createLiveFilter(nodes: number, options: LiveFilterOptions = {}): LiveFilter {
  const { cutoff = CUTOFF, response = RESPONSE } = options;
  if (!(cutoff > 0 && cutoff < Infinity))
    throw new RangeError(`The cutoff is ${cutoff} Hz; expected a number above 0, such as ${CUTOFF}.`);
  if (!(response >= 0 && response < Infinity))
    throw new RangeError(`The response is ${response}; expected a number of at least 0, such as ${RESPONSE}.`);
  const last = new Float64Array(POSE_STRIDE * nodes);
  const speeds = new Float64Array(2 * nodes);
  let isFirst = true;
  const filter: LiveFilter['filter'] = (pose, seconds) => {
    // Without time between two poses, the later one counts.
    if (isFirst || !(seconds > 0)) {
      for (let k = 0; k < last.length; k++) last[k] = pose[k];
      isFirst = false;
      return;
    }
    const speedShare = shareOf(SPEED_CUTOFF, seconds);
    for (let node = 0; node < nodes; node++) {
      const at = POSE_STRIDE * node;
      const speed = vec3.distance(pose, at, last, at) / seconds;
      speeds[2 * node] += speedShare * (speed - speeds[2 * node]);
      vec3.lerp(pose, at, last, at, pose, at, shareOf(cutoff + response * speeds[2 * node], seconds));
      const turn = quat.angleBetween(pose, at + 3, last, at + 3) / seconds;
      speeds[2 * node + 1] += speedShare * (turn - speeds[2 * node + 1]);
      quat.slerp(pose, at + 3, last, at + 3, pose, at + 3, shareOf(cutoff + response * speeds[2 * node + 1], seconds));
    }
    for (let k = 0; k < last.length; k++) last[k] = pose[k];
  };
  return {
    filter,
    reset: () => {
      speeds.fill(0);
      isFirst = true;
    },
  };
}
