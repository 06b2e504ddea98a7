/** The motion of a skeleton whose space was changed. */
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { checkSpaceChange, type SpaceChange } from '../skeleton/change-space.ts';
import type { Clip, Track } from './clip.ts';

function changeTrack(track: Track, isRoot: boolean, { rotation, scale }: SpaceChange): Track {
  const { path } = track;
  if (path === 'scale' || (path === 'rotation' && !isRoot)) return track;
  const values = track.values.slice();
  if (path === 'rotation') {
    for (let at = 0; at < values.length; at += 4) quat.multiply(values, at, rotation, 0, values, at);
    return { ...track, values };
  }
  for (let at = 0; at < values.length; at += 3) {
    vec3.scale(values, at, values, at, scale);
    if (isRoot) vec3.rotate(values, at, rotation, 0, values, at);
  }
  return { ...track, values };
}

/**
 * The clip for the skeleton that `changeSpace` gives: roots turn, all translations get the new unit. The map is linear, so keys, times
 * and interpolation stay and tangents change like values; nothing is sampled. `parents` are those of the skeleton.
 * RangeError for a change that is none, or a track of a node that is not there.
 */
export function changeClipSpace(clip: Clip, parents: ArrayLike<number>, change: SpaceChange): Clip {
  checkSpaceChange(change);
  const tracks = clip.tracks.map((track) => {
    if (!(track.target >= 0 && track.target < parents.length)) {
      throw new RangeError(
        `changeClipSpace: a track animates node ${track.target}, the skeleton has ${parents.length} nodes`,
      );
    }
    return changeTrack(track, parents[track.target] < 0, change);
  });
  return { ...clip, tracks };
}
