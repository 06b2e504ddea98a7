/** Accuracy of keys that are resampled during a conversion: one policy for all formats and engines. */

/** Greatest error of a resampled rotation, radians: 0.005°. */
export const ROTATION_TOLERANCE: number = (0.005 * Math.PI) / 180;

/**
 * Greatest error of resampled translations and scales, relative to what they are measured by: the size of the scene, skeleton or hips
 * height for translations, 1 for scales.
 */
export const RELATIVE_TOLERANCE = 1e-5;

/** Greatest error of a resampled blend shape weight or expression weight: a ten-thousandth of the full shape, which nobody sees. */
export const WEIGHT_TOLERANCE = 1e-4;
