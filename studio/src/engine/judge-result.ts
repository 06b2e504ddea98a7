/** Sums the verdict of the ruler up in three traffic lights. */

import type { ContactReport } from 'anyrig';
import { judgeFigures, type ResultFigures, THRESHOLDS } from 'anyrig/experimental';
import type { FeetFinding, Level, ResultVerdict } from './protocol.ts';

/** Way of a wrist by the height of the character that is seen: see `handsMoved` of a contact report. */
const SEEN = 0.05;

/** Figures of the feet and the pelvis, and what is said about each. */
const FEET: Readonly<Record<string, FeetFinding>> = {
  slide: 'slide',
  below: 'below',
  above: 'above',
  lying: 'pelvis',
  height: 'pelvis',
};
/** Figures that are about neither pose nor feet: contacts changed them on purpose, or the options do. */
const ASIDE: readonly string[] = ['changed', 'path', 'scale', 'hands', 'inside', 'duration'];

/** Judges a result. `contacts`: what contacts changed; null with contacts off. `height`: height of the character, meters. */
export function verdictOf(figures: ResultFigures, contacts: ContactReport | null, height: number): ResultVerdict {
  const { findings } = judgeFigures(figures);
  const feet = findings.find(({ figure }) => figure in FEET);
  const pose = findings.filter(({ figure }) => !(figure in FEET) && !ASIDE.includes(figure));
  const worst = (levels: readonly Level[]): Level =>
    levels.includes('wrong') ? 'wrong' : levels.includes('look') ? 'look' : 'good';
  const angle = pose.find(({ figure }) => THRESHOLDS[figure].unit === '°')?.value;
  const moved = contacts?.handsMoved ?? 0;
  return {
    pose: {
      level: worst(pose.map(({ level }) => level)),
      degrees: angle ?? Math.max(0, ...Object.values(figures.limbs).map(({ p95 }) => p95)),
    },
    feet:
      figures.feet === null
        ? null
        : {
            level: feet?.level ?? 'good',
            finding: feet === undefined ? 'ground' : FEET[feet.figure],
            // The ruler has percent of the height.
            centimeters: (feet?.value ?? 0) * height,
          },
    arms: { level: moved < SEEN ? 'good' : 'look', centimeters: 100 * moved * height },
  };
}
