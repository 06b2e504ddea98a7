import type { HumanoidOptions } from 'anyrig/files';
import type { RetargetClipsOptions } from '../../../src/files/jobs/plan-pair.ts';
import { jobOptionsOf } from '../../../src/files/options/motion-options.ts';
import { type MotionOptions, valuesOf } from '../app/motion-options.ts';

/**
 * Converts the options of the page to those of `retargetMotions`. Options that have their default are left out, so that the outputs are those of the
 * shortest command line.
 */
export function jobOptions(
  options: MotionOptions,
  source: HumanoidOptions,
  target: HumanoidOptions,
): RetargetClipsOptions {
  return { ...jobOptionsOf(valuesOf(options)), source, target };
}
