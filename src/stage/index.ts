/** A stage that shows characters and their motions, as a custom element on three.js: `anyrig/stage`. */

export type {
  JointPick,
  JointRotation,
  StageClip,
  StageColor,
  StageEventMap,
  StageFigure,
  StageJoints,
  StageLayout,
  StageMark,
  StageNodePose,
  StagePose,
  StageShow,
  StageTheme,
  StageTrack,
  StageTrail,
  StageViewpoint,
} from './contract.ts';
export { defineStage } from './define-stage.ts';
export { AnyrigStage } from './element.ts';
