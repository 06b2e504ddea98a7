/** How hips that move over the ground become root motion: the way without the sway of the steps. */
import type { GroundMotion } from './ground-motion.ts';

/** Hips that stay this close to their first position, relative to their height, do not travel; less is sway, or drift. */
const LEAST_DISTANCE = 0.25;
/** Least rotation about the vertical from start to end that is root motion, radians: 15°. */
const LEAST_YAW = Math.PI / 12;
/** Greatest net rotation of a loop whose path is an arc; a path with full turns is a line. */
const MOST_ARC = 1.5 * Math.PI;
/** Standard deviation with which steps are smoothed, seconds: longer than most of them. */
const PATH_SIGMA = 0.5;
/** A loop shorter than this, seconds, has a constant speed. */
const SHORT_LOOP = 3;
/** Root motion stays about this close to the hips: relative to their height, and radians (20°). */
const MOST_SWAY = 0.1;
const MOST_TWIST = Math.PI / 9;

export interface HipsPath {
  /** Seconds, from 0 to the duration. */
  readonly times: Float64Array;
  /** x and z per time, meters. */
  readonly positions: Float64Array;
  /** Angle about the vertical relative to the reference pose, per time, radians, continuous. */
  readonly yaws: Float64Array;
  /** Whether the last pose is the first one again, up to position and heading. */
  readonly isLoop: boolean;
}

/** Smooths one component. A loop continues periodically, another path is continued through its end points. */
function smoothed(values: Float64Array, step: number, isLoop: boolean): Float64Array {
  const last = values.length - 1;
  if (last < 1) return values.slice();
  // A loop this short is a cycle of steps: all of it is sway.
  if (isLoop && last * step < SHORT_LOOP) {
    const mean = values.subarray(0, last).reduce((sum, value) => sum + value, 0) / last;
    return new Float64Array(values.length).fill(mean);
  }
  const reach = Math.min(Math.ceil((3 * PATH_SIGMA) / step), isLoop ? Number.POSITIVE_INFINITY : 4 * last);
  const at = (k: number): number => {
    if (isLoop) return values[((k % last) + last) % last];
    // Point symmetry at both ends: the smoothed path begins and ends where the path does.
    const wrapped = ((k % (2 * last)) + 2 * last) % (2 * last);
    const repeats = Math.floor(k / (2 * last));
    const net = 2 * (values[last] - values[0]) * repeats;
    return net + (wrapped <= last ? values[wrapped] : 2 * values[last] - values[2 * last - wrapped]);
  };
  const weights = Float64Array.from({ length: 2 * reach + 1 }, (_, k) =>
    Math.exp(-0.5 * (((k - reach) * step) / PATH_SIGMA) ** 2),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return values.map((_, frame) => {
    let sum = 0;
    for (let k = 0; k < weights.length; k++) sum += weights[k] * at(frame + k - reach);
    return sum / total;
  });
}

/** Limits a distance softly: unchanged up to half of the limit, never above it. */
function limited(distance: number, limit: number): number {
  const half = limit / 2;
  return distance <= half ? distance : half + half * Math.tanh((distance - half) / half);
}

/** Smooths a deviation of one or two components, which stays close to the original; it begins with 0. */
function closePath(components: readonly Float64Array[], step: number, isLoop: boolean, most: number): Float64Array[] {
  const smooth = components.map((values) => smoothed(values, step, isLoop));
  for (let frame = 0; frame < components[0].length; frame++) {
    const rest = components.map((values, c) => values[frame] - smooth[c][frame]);
    const distance = Math.hypot(...rest);
    if (!(distance > 0)) continue;
    const kept = 1 - limited(distance, most) / distance;
    for (const [c, difference] of rest.entries()) smooth[c][frame] += kept * difference;
  }
  return smooth.map((values) => values.map((value) => value - values[0]));
}

/** The heading of root motion: a constant rate plus slow changes; null if the hips face the same way at the end. */
function headingOf({ times, yaws, isLoop }: HipsPath): Float64Array | null {
  const last = times.length - 1;
  const net = yaws[last] - yaws[0];
  if (Math.abs(net) < LEAST_YAW) return null;
  const step = times[last] / last;
  const [slow] = closePath([yaws.map((yaw, k) => yaw - (net * k) / last)], step, isLoop, MOST_TWIST);
  return slow.map((value, k) => value + (net * k) / last);
}

/** Position and heading of a constant walk, straight or along an arc, at a fraction of its way. */
function constantWay(
  netX: number,
  netZ: number,
  rotation: number,
  fraction: number,
): [x: number, z: number, yaw: number] {
  const half = rotation / 2;
  // The chord of the arc points along the heading in its middle.
  const chord = Math.abs(half) > 1e-9 ? Math.sin(half * fraction) / Math.sin(half) : fraction;
  const middle = half * (fraction - 1);
  const [sine, cosine] = [Math.sin(middle), Math.cos(middle)];
  return [chord * (cosine * netX + sine * netZ), chord * (-sine * netX + cosine * netZ), rotation * fraction];
}

/**
 * Finds the root motion of hips. It begins with the first pose and ends with the last: a constant speed and rate of rotation, plus slow changes.
 * The sway of the steps remains in the hips; so do small movements on the spot. A loop has no seam. Hips that begin away from their reference
 * position have a root that begins there. `pivot`: x and z of the hips in the reference pose, meters.
 */
export function travelPath(path: HipsPath, pivot: readonly [number, number], hipsHeight: number): GroundMotion {
  const { times, positions, isLoop } = path;
  const last = times.length - 1;
  const least = LEAST_DISTANCE * hipsHeight;
  const [startX, startZ] = positions;
  // Where the hips are relative to the root at the start: a little sway, unless the motion begins elsewhere.
  const isElsewhere = Math.hypot(startX - pivot[0], startZ - pivot[1]) >= least;
  const offset = isElsewhere ? [0, 0] : [startX - pivot[0], startZ - pivot[1]];
  const yaws = last < 1 ? null : headingOf(path);
  const out = new Float64Array(positions.length);
  const [netX, netZ] = [positions[2 * last] - startX, positions[2 * last + 1] - startZ];
  const rotation = yaws?.[last] ?? 0;
  const arc = isLoop && Math.abs(rotation) <= MOST_ARC ? rotation : 0;
  const ways = Array.from(times, (_, k) => constantWay(netX, netZ, arc, last < 1 ? 0 : k / last));
  let extent = 0;
  for (let k = 0; k <= last; k++) {
    extent = Math.max(extent, Math.hypot(positions[2 * k] - startX, positions[2 * k + 1] - startZ));
  }
  // Deviations from the constant way, along its heading, so that those of a loop repeat.
  const deviations = [new Float64Array(times.length), new Float64Array(times.length)];
  if (extent >= least) {
    for (const [k, [x, z, yaw]] of ways.entries()) {
      const [dx, dz] = [positions[2 * k] - startX - x, positions[2 * k + 1] - startZ - z];
      const [sine, cosine] = [Math.sin(yaw), Math.cos(yaw)];
      deviations[0][k] = cosine * dx - sine * dz;
      deviations[1][k] = sine * dx + cosine * dz;
    }
  }
  const slow = extent < least ? deviations : closePath(deviations, times[last] / last, isLoop, MOST_SWAY * hipsHeight);
  for (const [k, [x, z, yaw]] of ways.entries()) {
    const [sine, cosine] = [Math.sin(yaw), Math.cos(yaw)];
    const [swayX, swayZ] = [slow[0][k], slow[1][k]];
    const heading = yaws?.[k] ?? 0;
    const [headingSine, headingCosine] = [Math.sin(heading), Math.cos(heading)];
    // Below the hips: the offset rotates with the root.
    out[2 * k] = startX + x + cosine * swayX + sine * swayZ - (headingCosine * offset[0] + headingSine * offset[1]);
    out[2 * k + 1] =
      startZ + z - sine * swayX + cosine * swayZ - (-headingSine * offset[0] + headingCosine * offset[1]);
  }
  return { pivot, times, positions: out, yaws };
}
