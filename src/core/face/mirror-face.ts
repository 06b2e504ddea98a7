/** Mirrors a facial animation: exchanges left and right. */
import type { ExpressionTrack, LookAtTrack } from './face-tracks.ts';
import type { FaceSource } from './plan-face.ts';
import { mirrorShape } from './shapes.ts';

const OTHER_SIDE: Readonly<Record<string, string>> = {
  Left: 'Right',
  Right: 'Left',
  left: 'right',
  right: 'left',
  L: 'R',
  R: 'L',
  l: 'r',
  r: 'l',
};

/** Exchanges the sides in a name: the words left and right, single letters between separators, and a capital L or R at the end. */
function mirrorName(name: string): string {
  const sides = /Left|Right|left|right|(?<=[\s_.-])[LRlr](?=[\s_.-]|$)|(?<=[a-z])[LR]$/g;
  return name.replace(sides, (side) => OTHER_SIDE[side]);
}

/**
 * Mirrors a source: exchanges left and right in its name and in its shape. Where the shape has a side but the name shows none, the name becomes
 * that of the mirrored shape. `source`: a weight of a motion.
 */
export function mirrorSource(source: FaceSource): FaceSource {
  const { match } = source;
  const name = mirrorName(source.name);
  if (match === null) return { ...source, name };
  const mirrored = { ...match, shape: mirrorShape(match.shape) };
  return {
    ...source,
    name: name === source.name && mirrored.shape !== match.shape ? mirrored.shape : name,
    match: mirrored,
  };
}

/**
 * Mirrors expression tracks: every track keeps its name and node and gets the keys of the opposite side. A track without an opposite keeps its
 * keys. Returns copies, in the same order.
 */
export function mirrorExpressions(tracks: readonly ExpressionTrack[]): ExpressionTrack[] {
  const byName = new Map(tracks.map((track) => [track.name, track]));
  return tracks.map((track) => {
    const { interpolation, times, values } = byName.get(mirrorName(track.name)) ?? track;
    return { ...track, interpolation, times, values };
  });
}

/** Mirrors a look-at track: negates its yaw, and x of its offset. Returns a copy with the same key times. */
export function mirrorLookAt(lookAt: LookAtTrack): LookAtTrack {
  const values = Float64Array.from(lookAt.values, (value, i) => (i % 4 === 1 || i % 4 === 2 ? -value : value));
  const { offsetFromHeadBone: offset } = lookAt;
  return { ...lookAt, values, offsetFromHeadBone: offset === null ? null : [-offset[0], offset[1], offset[2]] };
}
