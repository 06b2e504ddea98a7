/** Trims a clip and changes its speed, as the options say. */
import { type AssetClip, changeAssetClipSpeed, trimAssetClip } from 'anyrig';
import type { MotionOptions } from '../app/motion-options.ts';

/** Options that change when things happen. */
export type TimingOptions = Pick<MotionOptions, 'trim' | 'speed'>;

/**
 * Trims a clip and changes its speed, so that it has the times of the result.
 *
 * @param clip A clip of the motion.
 * @param options The part to keep, and the speed.
 * @returns The clip.
 */
export function editTiming(clip: AssetClip, { trim, speed }: TimingOptions): AssetClip {
  const kept = trim === null ? clip : trimAssetClip(clip, trim[0], trim[1]);
  return speed === 1 ? kept : changeAssetClipSpeed(kept, speed);
}
