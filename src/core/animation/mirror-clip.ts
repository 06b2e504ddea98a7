import { type Clip, PATH_WIDTH, type Track } from './clip.ts';

/** Components of each path whose sign the mirror x → −x flips. */
const NEGATED = { translation: [0], rotation: [1, 2], scale: [] } as const;

function mirrorTrack(track: Track): Track {
  const components = NEGATED[track.path];
  if (components.length === 0) return track;
  const width = PATH_WIDTH[track.path];
  const values = track.values.slice();
  for (let i = 0; i < values.length; i += width) for (const c of components) values[i + c] = -values[i + c];
  return { ...track, values };
}

/**
 * Mirrors a clip across the plane x = 0 of every local space, for a skeleton from `mirrorSkeleton` or a humanoid from `mirrorHumanoid`:
 * translations become (−x, y, z), rotations (x, −y, −z, w), scales stay, and tangents change alike. Tracks keep their target nodes, so a
 * node on the left is on the right of the mirrored character. Mirroring is exact; doing it twice restores the clip.
 *
 * @param clip The clip; it is not changed.
 * @returns The mirrored clip.
 */
export function mirrorClip(clip: Clip): Clip {
  const plants = clip.plants?.map((plant) => ({
    ...plant,
    side: plant.side === 'left' ? ('right' as const) : ('left' as const),
  }));
  return { ...clip, tracks: clip.tracks.map(mirrorTrack), ...(plants === undefined ? {} : { plants }) };
}
