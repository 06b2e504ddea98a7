import type { Clip, Track } from '../animation/clip.ts';

/** The tracks of a clip, indexed by node; undefined where the clip has none. */
export interface TrackTable {
  readonly rotation: readonly (Track | undefined)[];
  readonly translation: readonly (Track | undefined)[];
  readonly scale: readonly (Track | undefined)[];
}

export function createTrackTable(clip: Clip, nodeCount: number): TrackTable {
  const rotation: (Track | undefined)[] = new Array(nodeCount);
  const translation: (Track | undefined)[] = new Array(nodeCount);
  const scale: (Track | undefined)[] = new Array(nodeCount);
  for (const track of clip.tracks) {
    if (track.path === 'rotation') rotation[track.target] = track;
    else if (track.path === 'translation') translation[track.target] = track;
    else scale[track.target] = track;
  }
  return { rotation, translation, scale };
}
