import type { ContactSurface } from '../../core/contacts/surface/contact-surface.ts';
import type { Sole } from '../../core/contacts/surface/find-sole.ts';
import { COLUMNS, END_ROWS, MIDDLE_ROWS } from '../../core/contacts/surface/radius-map.ts';
import { BONES, type BoneName, isFingerBone } from '../../core/humanoid/bones.ts';

/** Rounds meters to tenths of millimeters. */
function roundLength(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

/** The sole of a foot in the reference pose, meters. */
interface SoleReport {
  /** Length along the front of the character. */
  readonly length: number;
  /** Height of the ankle above the lowest point of the foot. */
  readonly ankleHeight: number;
}

/** The soles of a character. */
export interface SolesReport {
  /** Whether they come from the skin, or are estimated from the joints. */
  readonly from: 'skin' | 'joints';
  /** The left sole; missing where the leg is incomplete. */
  readonly left?: SoleReport;
  /** The right sole; missing where the leg is incomplete. */
  readonly right?: SoleReport;
}

export function reportSoles({ from, soles }: ContactSurface): SolesReport {
  const report = (sole: Sole | null): SoleReport | undefined => {
    if (sole === null) return undefined;
    const z = Array.from(sole.outline).filter((_, k) => k % 2 === 1);
    const length = z.length === 0 ? 0 : Math.max(...z) - Math.min(...z);
    return { length: roundLength(length), ankleHeight: roundLength(sole.ankleHeight) };
  };
  const [left, right] = [report(soles.left), report(soles.right)];
  return { from, ...(left === undefined ? {} : { left }), ...(right === undefined ? {} : { right }) };
}

/**
 * The distance of the skin from the axis of a bone in the T-pose, meters.
 *
 * @inline
 */
interface BoneRadiiReport {
  /** Mean over all directions and along the bone. */
  readonly mean: number;
  /** The largest. */
  readonly most: number;
}

/** The distances of the skin from the axes of the bones that have a surface, fingers excluded. */
export type RadiiReport = Readonly<Partial<Record<BoneName, BoneRadiiReport>>>;

export function reportRadii({ radii }: ContactSurface): RadiiReport {
  return Object.fromEntries(
    radii.flatMap((one) => {
      if (one === null || isFingerBone(BONES[one.bone])) return [];
      const sides = one.radii.subarray(COLUMNS * END_ROWS, COLUMNS * (END_ROWS + MIDDLE_ROWS));
      const mean = sides.reduce((sum, radius) => sum + radius, 0) / sides.length;
      return [[BONES[one.bone], { mean: roundLength(mean), most: roundLength(Math.max(...sides)) }]];
    }),
  );
}

/** Reports how much of the area of body and clothes is cloth, from 0 to 1. */
export function reportCloth({ cloth }: ContactSurface): number {
  return Math.round(cloth.share * 1e3) / 1e3;
}
