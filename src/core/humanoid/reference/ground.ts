/** Where the ground is, and in which unit a body is measured. */

/** A foot joint between these heights, relative to the hips, stands on the ground y = 0: soles are thick, shoes have heels. */
const LOWEST_ON_GROUND = -0.05;
const HIGHEST_ON_GROUND = 0.4;

/** Whether feet at the height `foot` stand on y = 0 when the hips are at `hips`. */
export function standsOnZero(foot: number, hips: number): boolean {
  return hips > 0 && foot >= LOWEST_ON_GROUND * hips && foot <= HIGHEST_ON_GROUND * hips;
}

/** Height of the ground: 0 when the lowest foot stands on it, else that foot. */
export function groundHeight(foot: number, hips: number): number {
  return standsOnZero(foot, hips) ? 0 : foot;
}

/** Units that files are measured in, meters, and how readily each is believed (added to the misfit of the height). */
const UNITS: readonly (readonly [meters: number, doubt: number])[] = [
  [1, 0],
  [0.01, 0],
  [0.1, 0.15],
  [0.0254, 0.15],
  [0.001, 0.15],
  // The unit of the CMU motion library: inches, 0.45 of them to one.
  [0.0254 / 0.45, 0.15],
  [100, 0.3],
];

/** Height of the highest joint of a grown-up, meters. */
const GROWN_UP = 1.6;
/** Bodies between these heights, meters, are taken at the word of a format that measures in meters: children, chibis and giants. */
const SMALLEST = 0.25;
const TALLEST = 10;

/** Who says the unit: the format, for every file there is (glTF), or a field of the file, which exporters get wrong (FBX). */
export type UnitSource = 'format' | 'file';

/** The smallest body for which a field of a file is believed: puppets. */
const SMALLEST_BY_FILE = 0.1;
/** What exporters make of a unit when they take centimeters for meters or the other way round. */
const MISTAKES = [0.01, 100];
/** How little they are believed: less than the plain units, more than the strange ones. */
const MISTAKE_DOUBT = 0.1;

/**
 * Meters of one unit of a body that is `height` units tall. A `declared` unit is kept while the body it makes is between
 * 0.25 m (0.1 m where a field of the file says it) and 10 m; otherwise the unit with the most ordinary height is taken,
 * for a field of a file also a hundredth and the hundredfold of what it says.
 */
export function guessUnit(height: number, declared: number | null, source: UnitSource = 'format'): number {
  if (!(height > 0)) return declared ?? 1;
  const smallest = source === 'file' ? SMALLEST_BY_FILE : SMALLEST;
  if (declared !== null && height * declared >= smallest && height * declared <= TALLEST) return declared;
  const units = [...UNITS];
  if (declared !== null && source === 'file') {
    for (const factor of MISTAKES) units.push([declared * factor, MISTAKE_DOUBT]);
  }
  let best = 1;
  let least = Number.POSITIVE_INFINITY;
  for (const [meters, doubt] of units) {
    const misfit = Math.abs(Math.log((height * meters) / GROWN_UP)) + doubt;
    if (misfit < least) {
      least = misfit;
      best = meters;
    }
  }
  return best;
}
