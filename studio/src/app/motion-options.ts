/** The options of a retargeted motion, as the page keeps them: JSON. */
import {
  MOTION_DEFAULTS as DEFAULTS,
  MOTION_OPTIONS,
  type MotionOptionName,
  type MotionOptions as Values,
} from '../../../src/files/options/motion-options.ts';

/** A value for every option of the library; null for none. The trim has both ends. */
export type MotionOptions = Omit<Values, 'trim'> & { readonly trim: readonly [from: number, to: number] | null };

/** What `anyrig retarget` does without options. */
export const MOTION_DEFAULTS: MotionOptions = { ...DEFAULTS, trim: null };

/** Options without a control: nobody who opens a link could see them, or take them back. */
const WITHOUT_CONTROL = ['ascii', 'rest', 'textures', 'together', 'extra', 'proportions'] as const;

export type ShownOption = Exclude<MotionOptionName, (typeof WITHOUT_CONTROL)[number]>;

export const SHOWN_OPTIONS = Object.keys(MOTION_OPTIONS).filter(
  (name) => !WITHOUT_CONTROL.some((one) => one === name),
) as readonly ShownOption[];

/** Returns the values as the library has them. */
export function valuesOf({ trim, ...others }: MotionOptions): Values {
  return { ...others, trim: trim === null ? null : { from: trim[0], to: trim[1] } };
}
