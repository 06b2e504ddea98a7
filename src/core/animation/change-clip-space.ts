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
 * Transforms a clip for the skeleton that `changeSpace` returns: roots are rotated, all translations are scaled. The transform is linear, so keys and
 * interpolation stay, tangents are transformed like values, and nothing is resampled. `change` leads from the old to the new space. Returns a new
 * clip. Throws RangeError for an invalid scale or rotation, and for a track whose target node does not exist.
 */
export function changeClipSpace(clip: Clip, parents: ArrayLike<number>, change: SpaceChange): Clip {
  checkSpaceChange(change);
  const tracks = clip.tracks.map((track) => {
    if (!(track.target >= 0 && track.target < parents.length)) {
      throw new RangeError(
        `A track animates node ${track.target}; the skeleton has ${parents.length} nodes. Pass the parents of the clip's skeleton.`,
      );
    }
    return changeTrack(track, parents[track.target] < 0, change);
  });
  return { ...clip, tracks };
}
