import type { CleanReport } from '../../core/animation/clean/clean-clip.ts';
import type { AssetClip, AssetSkeleton } from '../../core/asset/asset.ts';
import { changeAssetClipSpeed, cleanAssetClip, trimAssetClip } from '../../core/asset/edit-asset-clip.ts';
import { findFirstPose } from '../../core/asset/find-first-pose.ts';
import { OptionError } from '../option-error.ts';
import type { ClipEdits } from './clip-edits.ts';

function withOption<T>(option: string, clip: AssetClip, edit: () => T): T {
  try {
    return edit();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new OptionError(option, `Clip ${JSON.stringify(clip.name)}: ${error.message}`);
  }
}

export interface EditedMotion {
  readonly clip: AssetClip;
  /** What cleaning changed, per skeleton; empty without it. */
  readonly cleaned: readonly CleanReport[];
}

/**
 * Trims a clip, cleans it and changes its speed. Throws OptionError (`trim`, `speed`) for a range outside of the clip, or a speed that leaves no
 * duration.
 */
export function editMotion(
  skeletons: readonly AssetSkeleton[],
  clip: AssetClip,
  { trim, skipFirstPose, clean, speed }: ClipEdits,
): EditedMotion {
  let edited = clip;
  let cleaned: readonly CleanReport[] = [];
  const pose = skipFirstPose === true ? findFirstPose(clip) : null;
  const from = pose === null ? trim?.from : Math.max(pose.end, trim?.from ?? 0);
  if (from !== undefined || trim !== undefined)
    edited = withOption('trim', clip, () => trimAssetClip(edited, from, trim?.to));
  // Noise and spikes are told from movement by their speed, so the speed changes after this.
  if (clean === true) ({ clip: edited, reports: cleaned } = cleanAssetClip(skeletons, edited));
  if (speed !== undefined) edited = withOption('speed', clip, () => changeAssetClipSpeed(edited, speed));
  return { clip: edited, cleaned };
}
