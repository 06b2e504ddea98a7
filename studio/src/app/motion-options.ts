/** The options of a retargeted motion, as the page keeps them: JSON. */
import {
  MOTION_DEFAULTS as DEFAULTS,
  type MotionOptions as Values,
} from '../../../src/files/options/motion-options.ts';

/** A value for every option of the library; null for none. The trim has both ends. */
export type MotionOptions = Omit<Values, 'trim'> & { readonly trim: readonly [from: number, to: number] | null };

/** What `anyrig retarget` does without options. */
export const MOTION_DEFAULTS: MotionOptions = { ...DEFAULTS, trim: null };

/** Returns the values as the library has them. */
export function valuesOf({ trim, ...others }: MotionOptions): Values {
  return { ...others, trim: trim === null ? null : { from: trim[0], to: trim[1] } };
}
