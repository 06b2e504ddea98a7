/** Accuracy of keys that are resampled during a conversion: one policy for all formats and engines. */

/** Greatest error of a resampled rotation, radians: 0.005°. */
export const ROTATION_TOLERANCE: number = (0.005 * Math.PI) / 180;

/**
 * Greatest error of resampled translations and scales, relative to what they are measured by: the size of the scene, skeleton or hips
 * height for translations, 1 for scales.
 */
export const RELATIVE_TOLERANCE = 1e-5;

/**
 * Part of these tolerances for motions that are resampled once more and for files of which every joint is a source of error: along a chain of joints errors add up. With 0.1, joints of
 * people were within 0.005° and 1e-5 of the height in world space, and new curves need no more keys, because the bends of this approximation are too small to be followed.
 */
export const CHAIN_PART = 0.1;

/** Greatest error of a resampled blend shape weight or expression weight: a ten-thousandth of the full shape, which nobody sees. */
export const WEIGHT_TOLERANCE = 1e-4;

/** Greatest errors between LINEAR keys. Lengths are relative to the size of the skeleton. */
export interface KeyTolerance {
  /** Of rotation tracks, radians. */
  readonly rotation: number;
  /** Of world rotations, where errors along a chain of joints add up, radians. */
  readonly worldRotation: number;
  /** Of translation tracks. */
  readonly translation: number;
  /** Of world positions. */
  readonly position: number;
  /** Also allowed for world positions: seconds by which a node may be earlier or later where it is. */
  readonly delay: number;
  /** Of weights of morph targets, and of scale tracks. */
  readonly weight: number;
}

/**
 * What LINEAR keys may change by default. 0.1° at the shoulder moves a fingertip by 1 mm. A ten-thousandth of the height, 0.2 mm, is for feet that stand still;
 * feet and hands that move may be 2 ms early or late, an eighth of a frame at 60 fps.
 */
export const LINEAR_TOLERANCE: KeyTolerance = {
  rotation: (0.1 * Math.PI) / 180,
  worldRotation: (0.2 * Math.PI) / 180,
  translation: 1e-4,
  position: 1e-4,
  delay: 0.002,
  weight: 1e-3,
};

/** What LINEAR keys may change where keys are exact. */
export const EXACT_TOLERANCE: KeyTolerance = {
  rotation: ROTATION_TOLERANCE,
  worldRotation: 2 * ROTATION_TOLERANCE,
  translation: RELATIVE_TOLERANCE,
  position: 1e-4,
  delay: 0.002,
  weight: RELATIVE_TOLERANCE,
};
