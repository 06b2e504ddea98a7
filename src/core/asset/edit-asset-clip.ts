/** Edits of whole animations of a file: of all skeletons and of morph targets alike. */
import { changeKeySpeed, checkSpeed, retimeClip, retimingBy } from '../animation/change-speed.ts';
import type { Keys } from '../animation/clip.ts';
import { pickKeys, decimateKeys } from '../animation/decimate-keys.ts';
import { cutClip, timeRange } from '../animation/trim-clip.ts';
import { trimKeys } from '../animation/trim-keys.ts';
import type { AssetClip, MorphTrack } from './asset.ts';

/** Expressions and gaze of a clip, the keys of each edited in one way. */
function editFace(
  { expressions, lookAt }: AssetClip,
  edit: (keys: Keys, width: number, isRotation: boolean) => Keys,
): Pick<AssetClip, 'expressions' | 'lookAt'> {
  return {
    ...(expressions === undefined
      ? {}
      : { expressions: expressions.map((one) => ({ ...one, ...edit(one, 1, false) })) }),
    ...(lookAt === undefined ? {} : { lookAt: { ...lookAt, ...edit(lookAt, 4, true) } }),
  };
}

/** trimClip for an animation of a file; the range is one of the whole animation, so all its parts stay together. */
export function trimAssetClip(clip: AssetClip, from?: number, to?: number): AssetClip {
  const range = timeRange(clip.duration, from, to);
  return {
    ...clip,
    duration: range.to - range.from,
    clips: clip.clips.map((part) => cutClip(part, range)),
    morphs: clip.morphs.map((morph) => ({
      ...morph,
      ...trimKeys(morph, morph.targetCount, false, range.from, range.to),
    })),
    ...editFace(clip, (keys, width, isRotation) => trimKeys(keys, width, isRotation, range.from, range.to)),
  };
}

/** changeSpeed for an animation of a file. */
export function changeAssetClipSpeed(clip: AssetClip, factor: number): AssetClip {
  checkSpeed(factor, clip.duration);
  const retime = retimingBy(factor);
  return {
    ...clip,
    duration: clip.duration / factor,
    clips: clip.clips.map((part) => retimeClip(part, factor, retime)),
    morphs: clip.morphs.map((morph) => ({ ...morph, ...changeKeySpeed(morph, morph.targetCount, factor, retime) })),
    ...editFace(clip, (keys, width) => changeKeySpeed(keys, width, factor, retime)),
  };
}

/** What a key may be off the line between others, as a part of the largest weight, to be on it: a rounding of float32. */
const ON_THE_LINE = 2 ** -23;

/** A track of weights without the keys that lie on the line (or the spline) between others anyway. */
export function reduceMorphTrack(track: MorphTrack): MorphTrack {
  let largest = 0;
  for (const value of track.values) largest = Math.max(largest, Math.abs(value));
  const kept = decimateKeys(track, track.targetCount, false, ON_THE_LINE * largest);
  return pickKeys(track, track.targetCount, kept);
}
