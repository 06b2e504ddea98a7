/** Aligns hips, spine, neck, head and shoulders. Their curvature belongs to the character, not to the pose. */
import { DEGREES_PER_RADIAN } from '../../../math/euler.ts';
import * as quat from '../../../math/quat.ts';
import * as vec3 from '../../../math/vec3.ts';
import { BONE, BONES } from '../../bones.ts';
import {
  addFinding,
  addRotation,
  type EstimatorState,
  followParent,
  formatDegrees,
  LEFT,
  rollAngleTo,
  rollBone,
  UP,
} from '../estimator-state.ts';
import { measureTrunkLean, trunkLinesOf } from './lean.ts';

/** A trunk that leans more than this, radians, in a pose in motion leans because of the motion. */
const LEAN = 7 / DEGREES_PER_RADIAN;

const TRUNK = BONES.filter((name) => /^(hips|spine|chest|upperChest|neck|head|leftShoulder|rightShoulder)$/.test(name));

/**
 * Sets the trunk upright: shoulders above the hips, both perpendicular to the front. The lines of the trunk show how
 * far it leans and twists. Returns the lean, radians.
 */
function setUpright(state: EstimatorState): number {
  const lines = trunkLinesOf(state);
  if (lines === null) return 0;
  vec3.rotate(lines.up, 0, state.frame, 0, lines.up, 0);
  const lean = vec3.angleBetween(lines.up, 0, UP, 0);
  if (!(lean > LEAN)) return 0;
  const arc = new Float64Array(4);
  quat.fromTo(arc, 0, lines.up, 0, UP, 0);
  addRotation(state, BONE.hips, arc);
  vec3.rotate(lines.side, 0, state.corrections, 4 * BONE.hips, lines.side, 0);
  rollBone(state, BONE.hips, UP, rollAngleTo(UP, lines.side, LEFT) ?? 0);
  return lean;
}

/** Rotates the trunk as a whole, and sets it upright where it may lean because of a motion. Returns remaining lean to the front, radians. */
export function alignTrunk(state: EstimatorState, mayLean: boolean, facing: string, confidence: number): number {
  quat.copy(state.corrections, 4 * BONE.hips, state.frame, 0);
  const lean = mayLean ? setUpright(state) : 0;
  for (const name of TRUNK) followParent(state, BONE[name]);
  const bearing = lean > 0 ? `set upright from a lean of ${formatDegrees(lean)} in a pose in motion` : 'curvature kept';
  addFinding(state, 'trunk', lean > 0 ? Math.min(confidence, 0.5) : confidence, `${facing}; ${bearing}`);
  return lean > 0 ? 0 : measureTrunkLean(state);
}
