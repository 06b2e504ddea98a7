/** Edits of whole animations of a file: of all skeletons and of morph targets alike. */
import { changeKeySpeed, checkSpeed, retimeClip, retimingBy } from '../animation/change-speed.ts';
import { cutClip, timeRange } from '../animation/trim-clip.ts';
import { trimKeys } from '../animation/trim-keys.ts';
import type { AssetClip } from './asset.ts';

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
  };
}
