/** Finds the height of the ground from the height of the feet. */

/** Range of heights, as fractions of the hips height, in which a foot joint counts as standing on y = 0: soles are thick, shoes have heels. */
const LOWEST_ON_GROUND = -0.05;
const HIGHEST_ON_GROUND = 0.4;

/**
 * Checks whether a character stands on the ground y = 0.
 *
 * @param foot Height of the lowest foot joint.
 * @param hips Height of the hips, same unit.
 * @returns True when the foot is between −5 % and 40 % of the hips height.
 */
export function isOnZeroGround(foot: number, hips: number): boolean {
  return hips > 0 && foot >= LOWEST_ON_GROUND * hips && foot <= HIGHEST_ON_GROUND * hips;
}

/**
 * Finds the height of the ground.
 *
 * @param foot Height of the lowest foot joint.
 * @param hips Height of the hips, same unit.
 * @returns 0 when the character stands on y = 0, else the height of the foot.
 */
export function findGroundHeight(foot: number, hips: number): number {
  return isOnZeroGround(foot, hips) ? 0 : foot;
}
