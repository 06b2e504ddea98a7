/** Accuracy of keys that are resampled during a conversion: one policy for all formats and engines. */

/** Greatest error of a resampled rotation, radians: 0.005°. */
export const ROTATION_TOLERANCE: number = (0.005 * Math.PI) / 180;

/**
 * Greatest error of resampled translations and scales, relative to what they are measured by: the size of the scene, skeleton or hips
 * height for translations, 1 for scales.
 */
export const RELATIVE_TOLERANCE = 1e-5;

/** Least part of these tolerances that one joint of a chain gets. With 0.1, joints of people were within 0.005° and 1e-5 of the height in world space. */
const CHAIN_PART = 0.1;
/** Seconds after which float32 key times are so coarse that keys at the times of a file miss its curves by all of these tolerances: 20 minutes. */
const COARSE_TIMES = 1200;

/**
 * Returns the part of these tolerances for what is resampled once more: the curves of an FBX when they are read, and motions that become such curves.
 * Errors add up along a chain of joints, and new curves would follow the bends of a coarser approximation, which takes keys. Key times are float32,
 * whose error grows with the time: a part that they cannot reach would take keys as well. `duration`: seconds.
 */
export function chainPart(duration: number): number {
  return Math.min(1, Math.max(CHAIN_PART, duration / COARSE_TIMES));
}

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
