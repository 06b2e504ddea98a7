export const STANDARD_RIG_NAMES = ['mixamo', 'ue5', 'unity', 'vrm', 'smplx', 'soma'] as const;

/** Name of a standard rig. */
export type StandardRigName = (typeof STANDARD_RIG_NAMES)[number];
