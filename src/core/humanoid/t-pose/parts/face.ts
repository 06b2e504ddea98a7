/** Aligns eyes and jaw: they follow the head; eyes that show where they look, look to the front. */
import { DEGREES_PER_RADIAN } from '../../../math/euler.ts';
import * as vec3 from '../../../math/vec3.ts';
import { BONE } from '../../bones.ts';
import {
  addFinding,
  type EstimatorState,
  FRONT,
  followParent,
  formatDegrees,
  hasBone,
  swingBone,
  tipDirection,
  UP,
} from '../estimator-state.ts';

/** The child node of an eye shows where it looks when it is within this angle of the front, radians. Bone ends can be anywhere. */
const LOOK_AT_LIMIT = 30 / DEGREES_PER_RADIAN;

/** Aligns eyes with the head. Eyes with a child node ahead of them look to the front. */
export function alignEyes(state: EstimatorState): void {
  const eyes = [BONE.leftEye, BONE.rightEye].filter((bone) => hasBone(state, bone));
  if (eyes.length === 0) return;
  const angles: number[] = [];
  for (const eye of eyes) {
    followParent(state, eye);
    const lookAt = tipDirection(state, eye);
    if (lookAt === null || vec3.angleBetween(lookAt, 0, FRONT, 0) > LOOK_AT_LIMIT) continue;
    angles.push(swingBone(state, eye, lookAt, FRONT, UP));
  }
  if (angles.length === 0) addFinding(state, 'eyes', 0.7, 'look-at direction unknown, they follow the head');
  else
    addFinding(
      state,
      'eyes',
      1,
      `look-at direction from the child nodes, rotated by up to ${formatDegrees(Math.max(...angles))}`,
    );
}

export function alignJaw(state: EstimatorState): void {
  if (!hasBone(state, BONE.jaw)) return;
  followParent(state, BONE.jaw);
  addFinding(state, 'jaw', 0.8, 'follows the head');
}
