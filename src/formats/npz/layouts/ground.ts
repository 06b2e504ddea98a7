import type { Clip, Track } from '../../../core/animation/clip.ts';
import type { Floats } from '../../../core/math/floats.ts';
import * as quat from '../../../core/math/quat.ts';
import * as vec3 from '../../../core/math/vec3.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { POSE_STRIDE, type Skeleton } from '../../../core/skeleton/skeleton.ts';
import type { Take } from './motion.ts';

/** Share of the frames in which the lowest joint is below the floor: noise of cameras, and a jump is not the floor. */
const LOW_SHARE = 0.05;

/** Change of height, meters, that other lengths of legs explain: those of adults are within 12 % of a leg of 0.9 m. */
const MOST_LEG_CHANGE = 0.12;
/** Change of height that is told, meters. */
const WORTH_TELLING = 0.005;

/** Computes the height of the lowest joint of every frame below the root, which is at 0; skeletons rest with the axes of the world. */
function lowestJoints(
  { parents, rest }: Skeleton,
  { frames, rotations }: { readonly frames: number; readonly rotations: ReadonlyMap<number, Floats> },
): Float64Array {
  const count = parents.length;
  const turns = new Float64Array(4 * count);
  const places = new Float64Array(3 * count);
  const lowest = new Float64Array(frames);
  for (let frame = 0; frame < frames; frame++) {
    for (let joint = 0; joint < count; joint++) {
      const own = rotations.get(joint);
      const parent = parents[joint];
      if (parent < 0) {
        if (own === undefined) quat.identity(turns, 0);
        else quat.copy(turns, 0, own, 4 * frame);
        continue;
      }
      vec3.rotate(places, 3 * joint, turns, 4 * parent, rest, POSE_STRIDE * joint);
      vec3.add(places, 3 * joint, places, 3 * joint, places, 3 * parent);
      if (own === undefined) quat.copy(turns, 4 * joint, turns, 4 * parent);
      else quat.multiply(turns, 4 * joint, turns, 4 * parent, own, 4 * frame);
      lowest[frame] = Math.min(lowest[frame], places[3 * joint + 1]);
    }
  }
  return lowest;
}

/** Height of the lowest joint of the rest pose, which stands on the ground. */
function restHeight({ parents, rest }: Skeleton): number {
  const heights = new Float64Array(parents.length);
  for (let joint = 0; joint < parents.length; joint++)
    heights[joint] = rest[POSE_STRIDE * joint + 1] + (parents[joint] < 0 ? 0 : heights[parents[joint]]);
  return Math.min(...heights);
}

/** Returns the height that a twentieth of the heights is below. */
export function lowShare(heights: Float64Array): number {
  const sorted = heights.filter(Number.isFinite).sort();
  return sorted.length === 0 ? 0 : sorted[Math.floor(LOW_SHARE * (sorted.length - 1))];
}

/**
 * Puts takes on the ground. Without places, the lowest joint of every frame is on it. With places, all takes are moved by one height: any, where
 * the ground of the file is not known, and else one that other lengths of legs explain. `isFloorKnown`: whether the ground of the file is at height
 * 0.
 */
export function standTakes(
  skeleton: Skeleton,
  takes: readonly Take[],
  isFloorKnown: boolean,
): { readonly takes: readonly Take[]; readonly issues: readonly Issue[] } {
  const foot = restHeight(skeleton);
  const lowest = takes.map((take) => lowestJoints(skeleton, take));
  const heights = takes.flatMap(({ root }, k) =>
    root === null ? [] : Array.from(lowest[k], (y, at) => y + root[3 * at + 1]),
  );
  const floor = heights.length === 0 ? 0 : lowShare(Float64Array.from(heights)) - foot;
  const shift = isFloorKnown && Math.abs(floor) > MOST_LEG_CHANGE ? 0 : -floor;
  const placed = takes.map((take, k): Take => {
    const root = take.root === null ? new Float32Array(3 * take.frames) : take.root.slice();
    for (let frame = 0; frame < take.frames; frame++)
      root[3 * frame + 1] += take.root === null ? foot - lowest[k][frame] : shift;
    return { ...take, root };
  });
  const issues: Issue[] = [];
  if (takes.some(({ root, frames }) => root === null && frames > 1)) {
    const message =
      'The file does not say where the body is; it stays in place, with its lowest joint on the ground in every frame, also in jumps';
    issues.push(issue('NPZ_AXES', message));
  }
  if (Math.abs(shift) >= WORTH_TELLING) {
    const why = isFloorKnown
      ? 'The legs have other lengths than those of the file'
      : 'The file does not say where the ground is';
    issues.push(
      issue('NPZ_AXES', `${why}; the motion was moved by ${shift.toFixed(2)} m, so that the feet stand on it`),
    );
  }
  return { takes: placed, issues };
}

/**
 * Puts the lowest joint of every frame of a clip on the ground. Positions that are relative to the hips stand by the measured places of the feet,
 * which lengths of bones that differ from frame to frame move by centimeters; these are the lengths of the skeleton. `clip`: a clip with a key per
 * frame in all tracks.
 */
export function standClip(skeleton: Skeleton, clip: Clip): Clip {
  const isRoot = ({ target, path }: Track): boolean => target === 0 && path === 'translation';
  const root = clip.tracks.find(isRoot);
  if (root === undefined) return clip;
  const turns = clip.tracks.filter(({ path }) => path === 'rotation');
  const rotations = new Map(turns.map(({ target, values }) => [target, values]));
  const lowest = lowestJoints(skeleton, { frames: root.times.length, rotations });
  const foot = restHeight(skeleton);
  const values = root.values.slice();
  for (const [frame, y] of lowest.entries()) values[3 * frame + 1] = foot - y;
  return { ...clip, tracks: clip.tracks.map((track) => (track === root ? { ...track, values } : track)) };
}
