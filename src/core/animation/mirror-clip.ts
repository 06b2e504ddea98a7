import type { Clip, Track } from './clip.ts';

/** Components that change their sign in the mirror x → −x. */
const TURNED_ROUND = { translation: [0], rotation: [1, 2], scale: [] } as const;

function mirrorTrack(track: Track): Track {
  const components = TURNED_ROUND[track.path];
  if (components.length === 0) return track;
  const width = track.path === 'rotation' ? 4 : 3;
  const values = track.values.slice();
  for (let i = 0; i < values.length; i += width) for (const c of components) values[i + c] = -values[i + c];
  return { ...track, values };
}

/**
 * The clip of the body in the mirror (see mirrorSkeleton, mirrorHumanoid): every local space reflected by x → −x, translations
 * (−x, y, z), rotations (x, −y, −z, w), scales as they are; tangents alike. Key by key exact; twice is the clip again.
 * Tracks keep their nodes: what was left is the right of the mirrored body.
 */
export function mirrorClip(clip: Clip): Clip {
  return { ...clip, tracks: clip.tracks.map(mirrorTrack) };
}
