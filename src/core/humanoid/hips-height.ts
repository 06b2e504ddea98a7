/** Minimum height of the hips above the ground, as a fraction of the character's height. */
const MIN_HIPS_HEIGHT = 0.01;

/**
 * Checks that the hips are high enough above the ground for their height to be a scale. Hips translation of a character that fails is not scaled:
 * dividing by a height near zero would blow it up. `height`: height of the character, same unit.
 */
export function isHipsHeightUsable(hipsHeight: number, height: number): boolean {
  return hipsHeight > MIN_HIPS_HEIGHT * height;
}
