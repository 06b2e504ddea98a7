/** Edits whole animations of a file: all skeletons, morph targets and the face. */
import { changeKeySpeed, checkSpeed, retimeClip, retimingBy } from '../animation/change-speed.ts';
import { type CleanReport, cleanClip } from '../animation/clean/clean-clip.ts';
import type { Keys } from '../animation/clip.ts';
import { decimateKeys, pickKeys } from '../animation/decimate-keys.ts';
import { cutClip, timeRange } from '../animation/trim-clip.ts';
import { trimKeys } from '../animation/trim-keys.ts';
import type { AssetClip, AssetSkeleton, MorphTrack } from './asset.ts';

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

/**
 * Trims an animation of a file, like `trimClip`. All parts are trimmed to the same range and stay synchronous. Returns a copy that starts at 0;
 * `from` is 0 by default, `to` the duration. Throws RangeError for an empty range or one outside of the animation.
 */
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

/**
 * Changes the speed of an animation of a file, like `changeSpeed`. `factor`: speed factor above 0: 2 plays twice as fast. Returns a copy with new
 * key times and tangents. Throws RangeError for an invalid factor.
 */
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

/** Cleans the joints of an animation of a file, like `cleanClip`. Returns a copy, and what changed per skeleton. */
export function cleanAssetClip(
  skeletons: readonly Pick<AssetSkeleton, 'skeleton'>[],
  clip: AssetClip,
): { readonly clip: AssetClip; readonly reports: readonly CleanReport[] } {
  const parts = clip.clips.map((part, k) => cleanClip(skeletons[k].skeleton, part));
  return { clip: { ...clip, clips: parts.map((part) => part.clip) }, reports: parts.map(({ report }) => report) };
}

/** Largest error of a redundant key, relative to the largest weight: the rounding of float32. */
const REDUNDANT_TOLERANCE = 2 ** -23;

export function reduceMorphTrack(track: MorphTrack): MorphTrack {
  let largest = 0;
  for (const value of track.values) largest = Math.max(largest, Math.abs(value));
  const kept = decimateKeys(track, track.targetCount, false, REDUNDANT_TOLERANCE * largest);
  return pickKeys(track, track.targetCount, kept);
}
