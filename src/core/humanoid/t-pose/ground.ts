/** Finds the height of the ground from the height of the feet. */

/** Range of heights, as fractions of the hips height, in which a foot joint counts as standing on y = 0: soles are thick, shoes have heels. */
const LOWEST_ON_GROUND = -0.05;
const HIGHEST_ON_GROUND = 0.4;

/**
 * Checks whether a character stands on the ground y = 0.
 *
 * @param hips Height of the hips, same unit.
 */
export function isOnZeroGround(foot: number, hips: number): boolean {
  return hips > 0 && foot >= LOWEST_ON_GROUND * hips && foot <= HIGHEST_ON_GROUND * hips;
}

/**
 * Finds the height of the ground.
 *
 * @param hips Height of the hips, same unit.
 */
export function findGroundHeight(foot: number, hips: number): number {
  return isOnZeroGround(foot, hips) ? 0 : foot;
}
