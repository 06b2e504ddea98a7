/** Root motion: found in the hips, on a root bone or on an armature, and moved between them. */
export { type FoundRootMotion, findRootMotion } from '../root-motion/find-root-motion.ts';
export type { GroundMotion } from '../root-motion/ground-motion.ts';
export { type MovedRootMotion, moveRootMotion, type RootDelivery } from '../root-motion/move-root-motion.ts';
export { findRootBone, type RootBone } from '../root-motion/root-bone.ts';
export { type RetargetedPair, type RootOption, transferRootMotion } from '../root-motion/transfer-root-motion.ts';
