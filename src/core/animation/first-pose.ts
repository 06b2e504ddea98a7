import type { Clip } from './clip.ts';
import { sampleTrack } from './sample.ts';

/** Smallest rotation of a joint that counts as a jump: 15°, in radians. */
const JUMP = (15 * Math.PI) / 180;
/** How much larger a jump is than the steps after it. In recordings with a T-pose first it is 30 to 190 times (CMU, mocopi). */
const JUMP_RATIO = 8;
/** Steps after a jump that are compared with it. */
const STEPS_AFTER = 4;
/** Largest rotation between two frames of a pose that is held: 0.1°, in radians. */
const STILL = (0.1 * Math.PI) / 180;
/** Longest time (s) of a jump. Poses of animators are further apart. */
const LONGEST_JUMP = 1 / 15;
/** Longest time (s) that a pose is held before a jump. */
const LONGEST_POSE = 1;

/** A pose before the motion. */
export interface FirstPose {
  /** When the motion begins: seconds. */
  readonly end: number;
  /** Largest rotation of a joint from the pose to the motion, radians. */
  readonly jump: number;
}

/**
 * Finds a pose at the start of a clip that is no part of its motion, such as the T-pose in the first frame of many recordings: from it at least one
 * joint jumps, much further than any joint moves in the frames after it. Returns the pose; null where the motion begins in the first frame.
 */
export function findFirstPoseOfClip({ tracks }: Clip): FirstPose | null {
  const rotations = tracks.filter(({ path, times }) => path === 'rotation' && times.length > 1);
  const [first] = rotations;
  if (first === undefined) return null;
  const { times } = rotations.reduce(
    (longest, one) => (one.times.length > longest.times.length ? one : longest),
    first,
  );
  const [a, b] = [new Float64Array(4), new Float64Array(4)];
  /** Largest rotation of a joint from a frame to the next one. */
  const step = (frame: number): number => {
    let largest = 0;
    for (const track of rotations) {
      sampleTrack(track, times[frame], a, 0);
      sampleTrack(track, times[frame + 1], b, 0);
      const cosine = Math.abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);
      largest = Math.max(largest, 2 * Math.acos(Math.min(1, cosine)));
    }
    return largest;
  };
  for (let frame = 0; frame + STEPS_AFTER < times.length - 1 && times[frame] - times[0] <= LONGEST_POSE; frame++) {
    if (times[frame + 1] - times[frame] > LONGEST_JUMP) return null;
    const jump = step(frame);
    if (jump <= STILL) continue;
    if (jump < JUMP) return null;
    for (let after = 1; after <= STEPS_AFTER; after++) if (JUMP_RATIO * step(frame + after) > jump) return null;
    return { end: times[frame + 1], jump };
  }
  return null;
}
