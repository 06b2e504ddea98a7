/** Trims a clip and changes its speed, as the options say. */
import type { AssetClip } from 'anyrig';
import { changeAssetClipSpeed, findFirstPose, trimAssetClip } from '../../../src/core/asset/edit-asset-clip.ts';
import type { MotionOptions } from '../app/motion-options.ts';

/** Options that change when things happen. */
export type TimingOptions = Pick<MotionOptions, 'trim' | 'skipFirstPose' | 'speed'>;

/** Trims a clip, leaves out a first pose and changes the speed, so that the clip has the times of the result. */
export function editTiming(clip: AssetClip, { trim, skipFirstPose, speed }: TimingOptions): AssetClip {
  const pose = skipFirstPose ? findFirstPose(clip) : null;
  const from = Math.max(trim?.[0] ?? 0, pose?.end ?? 0);
  const kept = trim === null && pose === null ? clip : trimAssetClip(clip, from, trim?.[1]);
  return speed === 1 ? kept : changeAssetClipSpeed(kept, speed);
}
