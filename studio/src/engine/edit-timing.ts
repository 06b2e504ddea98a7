import type { AssetClip } from 'anyrig';
import { findFirstPose } from '../../../src/core/asset/find-first-pose.ts';
import type { MotionOptions } from '../app/motion-options.ts';

/** Options that change when things happen. */
export type TimingOptions = Pick<MotionOptions, 'trim' | 'skipFirstPose' | 'speed'>;

/** Trims a clip, leaves out a first pose and changes the speed, so that the clip has the times of the result. */
export async function editTiming(clip: AssetClip, { trim, skipFirstPose, speed }: TimingOptions): Promise<AssetClip> {
  const pose = skipFirstPose ? findFirstPose(clip) : null;
  if (trim === null && pose === null && speed === 1) return clip;
  const { changeAssetClipSpeed, trimAssetClip } = await import('../../../src/core/asset/edit-asset-clip.ts');
  const from = Math.max(trim?.[0] ?? 0, pose?.end ?? 0);
  const kept = trim === null && pose === null ? clip : trimAssetClip(clip, from, trim?.[1]);
  return speed === 1 ? kept : changeAssetClipSpeed(kept, speed);
}
