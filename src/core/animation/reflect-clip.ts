import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import type { PoseSigns } from '../skeleton/reflections.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../skeleton/skeleton.ts';
import { type Clip, PATH_WIDTH, type Track } from './clip.ts';

/**
 * Converts a clip from a rig with reflections to the same rig without, or back: keys, tangents and interpolation stay, only signs change. `signs`:
 * from `findReflections`; null for a rig that has none.
 */
export function reflectClip(clip: Clip, signs: PoseSigns | null): Clip {
  if (signs === null) return clip;
  return { ...clip, tracks: clip.tracks.map((track) => reflectTrack(track, signs)) };
}

function reflectTrack(track: Track, signs: PoseSigns): Track {
  const width = PATH_WIDTH[track.path];
  const at = POSE_STRIDE * track.target + PATH_OFFSET[track.path];
  const own = signs.subarray(at, at + width);
  if (!own.includes(-1)) return track;
  const values = track.values.slice();
  for (let k = 0; k < values.length; k++) values[k] *= own[k % width];
  return { ...track, values };
}

/**
 * Converts a clip to the same rig without reflections. A file may write the same reflection in several ways, and its clips in another one than its
 * rest pose: scales that are negative on two axes are half turns, which go into the rotation of the node. `signs`: from `findReflections`; null for
 * a rig that has none. `rest`: rest pose without reflections, 10 floats per node, local space.
 */
export function clipWithoutReflections(clip: Clip, signs: PoseSigns | null, rest: Floats): Clip {
  const reflected = reflectClip(clip, signs);
  const halfTurns = new Map<number, Float64Array>();
  for (const track of reflected.tracks) {
    const turn = track.path === 'scale' ? halfTurnOf(track) : null;
    if (turn !== null) halfTurns.set(track.target, turn);
  }
  if (halfTurns.size === 0) return reflected;
  const rotated = new Set<number>();
  const tracks = reflected.tracks.map((track): Track => {
    const turn = halfTurns.get(track.target);
    if (turn === undefined || track.path === 'translation') return track;
    const values = track.values.slice();
    if (track.path === 'rotation') {
      rotated.add(track.target);
      for (let k = 0; k < values.length; k += 4) quat.multiply(values, k, values, k, turn, 0);
    } else for (let k = 0; k < values.length; k++) if (turn[k % 3] === 0) values[k] = -values[k];
    return { ...track, values };
  });
  for (const [target, turn] of halfTurns) {
    if (rotated.has(target)) continue;
    const values = new Float64Array(4);
    quat.multiply(values, 0, rest, POSE_STRIDE * target + PATH_OFFSET.rotation, turn, 0);
    tracks.push({ target, path: 'rotation', interpolation: 'STEP', times: new Float32Array(1), values });
  }
  return { ...reflected, tracks };
}

/** The half turn about an axis that a first scale with two negative numbers is, xyzw; null for other scales. */
function halfTurnOf({ values, interpolation }: Track): Float64Array | null {
  const first = interpolation === 'CUBICSPLINE' ? 3 : 0;
  const isKept = [0, 1, 2].map((axis) => !(values[first + axis] < 0));
  if (isKept.filter(Boolean).length !== 1) return null;
  return Float64Array.of(Number(isKept[0]), Number(isKept[1]), Number(isKept[2]), 0);
}
