/** Guesses the unit of length of a file from the height of the character. */

/** Candidate units, meters, each with a penalty that is added to the misfit of the height. */
const UNITS: readonly (readonly [meters: number, penalty: number])[] = [
  [1, 0],
  [0.01, 0],
  [0.1, 0.15],
  [0.0254, 0.15],
  [0.3048, 0.15],
  [0.001, 0.15],
  // The unit of the CMU motion library: 1/0.45 inch.
  [0.0254 / 0.45, 0.15],
  [100, 0.3],
];

/** Height of the highest joint of an adult, meters. */
const ADULT_HEIGHT = 1.6;
/** Characters between these heights, meters, keep the unit of a format that measures in meters: children, chibis and giants. */
const MIN_HEIGHT = 0.25;
const MAX_HEIGHT = 10;

/** Who declares the unit: the format, for all of its files (glTF), or a field of the file, which exporters get wrong (FBX). */
export type UnitSource = 'format' | 'file';

/** The smallest character, meters, whose unit is accepted from a field of a file: puppets. */
const MIN_HEIGHT_BY_FILE = 0.1;
/** Factors by which exporters get a unit wrong when they confuse centimeters and meters. */
const UNIT_MISTAKES = [0.01, 100];
/** Penalty of a unit corrected by such a factor: above the plain units, below the unusual ones. */
const MISTAKE_PENALTY = 0.1;

/**
 * Guesses the unit of a character from its height. A declared unit is kept while the character is between 0.25 m (0.1 m where a field of the file
 * declares the unit) and 10 m tall. Otherwise the unit that gives the most ordinary height is taken; for a field of a file the candidates include
 * 1/100 and 100 times the declared unit. `height` is in units of the file. Returns meters per unit; the declared unit, else 1, for a height that is
 * not above 0.
 */
export function guessUnit(height: number, declared: number | null, source: UnitSource = 'format'): number {
  if (!(height > 0)) return declared ?? 1;
  const minHeight = source === 'file' ? MIN_HEIGHT_BY_FILE : MIN_HEIGHT;
  if (declared !== null && height * declared >= minHeight && height * declared <= MAX_HEIGHT) return declared;
  const units = [...UNITS];
  if (declared !== null && source === 'file') {
    for (const factor of UNIT_MISTAKES) units.push([declared * factor, MISTAKE_PENALTY]);
  }
  let best = 1;
  let least = Number.POSITIVE_INFINITY;
  for (const [meters, penalty] of units) {
    const misfit = Math.abs(Math.log((height * meters) / ADULT_HEIGHT)) + penalty;
    if (misfit < least) {
      least = misfit;
      best = meters;
    }
  }
  return best;
}
