/** How single nodes of a clip move over the ground. */
import type { Clip } from '../animation/clip.ts';
import { frameLimitOf, frameTimeOf } from '../animation/frame-times.ts';
import { unionTimes } from '../animation/resample.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import type { GroundMotion } from './ground-motion.ts';
import { createNodeChain, sampleChain } from './sample-nodes.ts';
import type { HipsPath } from './travel-path.ts';
import { travelUnit } from './travel-unit.ts';
import { yawOf } from './yaw.ts';

/** Least frames per second at which nodes are sampled. */
const LEAST_RATE = 48;
/** Movement of a node that counts, relative to the height of the hips, and in radians; less is rounding. */
const NO_DISTANCE = 1e-4;
const NO_YAW = 1e-3;

const point = new Float64Array(3);
const rotation = new Float64Array(4);
const twist = new Float64Array(4);
const before = new Float64Array(4);

/** Adds full turns, so that an angle is the closest one to the former. */
function unwrapped(angle: number, former: number): number {
  return angle + 2 * Math.PI * Math.round((former - angle) / (2 * Math.PI));
}

/** Samples the path of a node over the ground. `reference`: rotation, canonical frame, xyzw, that headings are relative to. */
export function sampleNodePath(
  humanoid: Humanoid,
  clip: Clip,
  node: number,
  times: Float64Array,
  reference: Float64Array,
): Pick<HipsPath, 'positions' | 'yaws'> {
  const chain = createNodeChain(humanoid.skeleton, clip, node);
  const positions = new Float64Array(2 * times.length);
  const yaws = new Float64Array(times.length);
  quat.conjugate(before, 0, reference, 0);
  for (const [k, time] of times.entries()) {
    sampleChain(chain, time);
    vec3.scale(point, 0, chain.matrix, 12, humanoid.metersPerUnit);
    vec3.rotate(point, 0, humanoid.frame, 0, point, 0);
    positions[2 * k] = point[0];
    positions[2 * k + 1] = point[2];
    quat.multiply(rotation, 0, humanoid.frame, 0, chain.rotation, 0);
    quat.multiply(rotation, 0, rotation, 0, before, 0);
    yaws[k] = unwrapped(yawOf(twist, rotation), k === 0 ? 0 : yaws[k - 1]);
  }
  return { positions, yaws };
}

/** Chooses uniform times for a clip: those of its frames, or more. Returns seconds, from 0 to the duration. */
export function uniformTimesOf(clip: Clip): Float64Array {
  const time = frameTimeOf(clip);
  if (time === null || !(clip.duration > 0)) return Float64Array.of(0);
  const step = time / Math.max(1, Math.ceil(time * LEAST_RATE));
  const intervals = Math.min(frameLimitOf(clip), Math.max(1, Math.round(clip.duration / step)));
  return Float64Array.from({ length: intervals + 1 }, (_, k) => (k / intervals) * clip.duration);
}

/**
 * Computes how a node moves over the ground, relative to its rest pose. Returns the motion; null if the node stays where it is and faces the same
 * way.
 */
export function nodeMotion(humanoid: Humanoid, clip: Clip, node: number): GroundMotion | null {
  const chain = createNodeChain(humanoid.skeleton, clip, node);
  const lists = chain.tracks.map(({ times }) => times);
  const areLines = chain.tracks.every(
    ({ path, interpolation }) => path === 'translation' && interpolation === 'LINEAR',
  );
  const times = unionTimes(areLines ? lists : [...lists, uniformTimesOf(clip)]);
  const still: Clip = { ...clip, tracks: [] };
  const rest = createNodeChain(humanoid.skeleton, still, node);
  sampleChain(rest, 0);
  const reference = new Float64Array(4);
  quat.multiply(reference, 0, humanoid.frame, 0, rest.rotation, 0);
  const { positions, yaws } = sampleNodePath(humanoid, clip, node, times, reference);
  const origin = sampleNodePath(humanoid, still, node, Float64Array.of(0), reference).positions;
  const size = travelUnit(humanoid);
  let distance = 0;
  for (let k = 0; k < times.length; k++) {
    distance = Math.max(distance, Math.hypot(positions[2 * k] - positions[0], positions[2 * k + 1] - positions[1]));
  }
  const rotates = yaws.some((yaw) => Math.abs(yaw) > NO_YAW);
  if (distance <= NO_DISTANCE * size && !yaws.some((yaw) => Math.abs(yaw - yaws[0]) > NO_YAW)) return null;
  return { pivot: [origin[0], origin[1]], times, positions, yaws: rotates ? yaws : null };
}
