/** Figures that show the quality of a retargeted motion: pose error, contacts, smoothness, foot slide, conformance with EXT_skeleton_humanoid. */
export type { FirstPose } from '../animation/first-pose.ts';
export { findFirstPose } from '../asset/edit-asset-clip.ts';
export { type BoneConformance, type Conformance, measureConformance } from '../humanoid/conformance.ts';
export {
  type ContactMotion,
  type ContactQuality,
  type ContactQualityOptions,
  measureContacts,
  type Spread,
} from '../measure/contact-quality.ts';
export {
  type FootMeasure,
  type FootSkateMeasure,
  type FootSkateOptions,
  measureFootSkate,
} from '../measure/foot-skate.ts';
export { type HandGapOptions, type HandGaps, type HandMotion, measureHandGaps } from '../measure/hand-gaps.ts';
export {
  type ComparedPart,
  type LimbErrorOptions,
  type LimbErrors,
  measureLimbErrors,
} from '../measure/limb-errors.ts';
export {
  type JointAngles,
  measurePoseError,
  type PoseErrorMeasure,
  type PoseErrorOptions,
} from '../measure/pose-error.ts';
export {
  measureSelfPenetration,
  type SelfPenetration,
  type SelfPenetrationOptions,
  type SkinnedMotion,
} from '../measure/self-penetration.ts';
export { countSpikes, measureSmoothness, type Smoothness } from '../measure/smoothness.ts';
export { measureRootSpeed, type RootSpeed } from '../root-motion/root-speed.ts';
