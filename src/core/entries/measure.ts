/** The ruler: figures that show the quality of a retargeted motion from joint positions, skins and times, and a verdict; and conformance with EXT_skeleton_humanoid. */
export type { FirstPose } from '../animation/first-pose.ts';
export { findFirstPose } from '../asset/edit-asset-clip.ts';
export { type BoneConformance, type Conformance, measureConformance } from '../humanoid/conformance.ts';
export { describeBody, type MeasuredBody, type MeasuredCharacter, type Outline } from '../measure/body.ts';
export type { FootFigures } from '../measure/feet.ts';
export type { HandGaps } from '../measure/hand-gaps.ts';
export type { MeasuredMotion } from '../measure/joint-frames.ts';
export type { MeasuredLimb, SegmentErrors } from '../measure/limb-errors.ts';
export type { PelvisFigures } from '../measure/pelvis.ts';
export {
  type LimbFigures,
  type MeasuredResult,
  type MovedPart,
  measureResult,
  type ResultFigures,
  type RulerOptions,
} from '../measure/ruler.ts';
export type { SelfPenetration } from '../measure/self-penetration.ts';
export type { MeanAndMax, SidedAngles, SourceAndResult, Spread } from '../measure/spread.ts';
export {
  type Finding,
  type JudgedFigure,
  judgeFigures,
  type Level,
  THRESHOLDS,
  type Threshold,
  type Verdict,
} from '../measure/verdict.ts';
export { measureRootSpeed, type RootSpeed } from '../root-motion/root-speed.ts';
