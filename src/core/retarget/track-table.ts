/** The tracks of a clip, found by node. */
import type { Clip, Track, TrackPath } from '../animation/clip.ts';

/** The tracks of a clip by node. */
export interface TrackTable {
  readonly rotation: readonly (Track | undefined)[];
  readonly translation: readonly (Track | undefined)[];
  readonly scale: readonly (Track | undefined)[];
}

/** Sorts the tracks of a clip by path and node. */
export function tableOf(clip: Clip, nodeCount: number): TrackTable {
  const table: Record<TrackPath, (Track | undefined)[]> = {
    rotation: new Array(nodeCount),
    translation: new Array(nodeCount),
    scale: new Array(nodeCount),
  };
  for (const track of clip.tracks) table[track.path][track.target] = track;
  return table;
}
