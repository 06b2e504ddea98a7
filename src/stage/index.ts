/** A stage that shows characters and their motions, as a custom element on three.js. */

// Show motions on a page

export type {
  StageClip,
  StageEventMap,
  StageFigure,
  StageJoints,
  StagePose,
} from './contract.ts';
export { defineStage } from './define-stage.ts';
export { AnyrigStage } from './element.ts';
