/** Tools that may still change: motions from joint positions, the ruler of retargeted motions, and skinning without an engine. */

// Make motions from joint positions

export {
  motionFromPoints,
  motionsFromPoints,
  type PersonMotion,
  type PointMotion,
  type SolvedMotion,
} from './points/motion-from-points.ts';

// Follow joint positions live

export { createLiveFilter, type LiveFilter } from './animation/live-filter.ts';
export { createPoseFromPoints, type PoseFromPoints } from './points/live-pose.ts';

// Clean recordings

export { cleanClip } from './animation/clean/clean-clip.ts';

// Measure results

export { describeBody, type MeasuredBody } from './measure/body.ts';
export type { MeasuredMotion } from './measure/joint-frames.ts';
export { type MeasuredResult, measureResult, type ResultFigures } from './measure/ruler.ts';
export { judgeFigures, THRESHOLDS, type Verdict } from './measure/verdict.ts';

// Skin vertices

export { skinLinear } from './deform/skin-linear.ts';
export { planSkin, type SkinPlan } from './deform/skin-plan.ts';
export { normalMatrices, skinningMatrices } from './deform/skinning-matrices.ts';
