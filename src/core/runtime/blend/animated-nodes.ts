/** Lists what a clip animates. */
import type { Clip, TrackPath } from '../../animation/clip.ts';

/** The nodes that a clip animates, per path, ascending. */
export type AnimatedNodes = Readonly<Record<TrackPath, Int32Array>>;

/**
 * Lists the nodes that a clip animates.
 *
 * @param clip The clip. Tracks without keys do not count.
 * @returns Node indices per path.
 */
export function listAnimatedNodes(clip: Clip): AnimatedNodes {
  const nodesOf = (path: TrackPath): Int32Array => {
    const tracks = clip.tracks.filter((track) => track.path === path && track.times.length > 0);
    return Int32Array.from(new Set(tracks.map(({ target }) => target))).sort();
  };
  return { translation: nodesOf('translation'), rotation: nodesOf('rotation'), scale: nodesOf('scale') };
}
