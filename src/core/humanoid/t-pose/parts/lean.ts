/**
 * Measures how far trunk and arms lean. A trunk keeps its lean, which may be the character's own. An arm in the plane
 * of a leaning trunk leans with it: raised by the shortest arc, it would keep the lean as a roll about its own axis.
 *
 * Neither the shape of a back nor arms in front of the trunk prove a lean alone. So only what shoulders, neck and the
 * arm agree on counts as a lean: the smallest of the three, and none where one of them contradicts.
 */
import { DEGREES_PER_RADIAN } from '../../../math/euler.ts';
import * as vec3 from '../../../math/vec3.ts';
import { BONE, type Side } from '../../bones.ts';
import { boneOf, correctedSegment, type EstimatorState, hasBone } from '../estimator-state.ts';
import { findChain, nextInChain } from '../t-pose-chains.ts';
import { findTrunkLines, type TrunkLines } from '../trunk-lines.ts';

/**
 * How far shoulders and neck of an upright character are behind the hip joints, as an angle seen from these, radians.
 * Of 24 different characters at rest: the shoulders 3.0° (standard deviation 4.4°), the neck 2.6° (3.1°); of the seven
 * with human proportions 3 to 7° and 2 to 6°. The value is between these and the characters of the demo (3.4 to 4.2°).
 */
const BEHIND = 3.5 / DEGREES_PER_RADIAN;
/** Tangent of 20°, the maximum lean of a trunk at rest. An arm further from the vertical points to the front or the back. */
const STEEPEST = Math.tan(20 / DEGREES_PER_RADIAN);
/**
 * Fraction of the arm length by which it must go down (or up) beyond that for its plane to count fully. Below, it
 * counts partly, so that similar poses get similar corrections. An arm along X shows no plane and is not changed.
 */
const FULLY_SHOWN = 0.1;

/** The smaller of two measures with equal signs; 0 when the signs differ. */
function agreed(a: number, b: number): number {
  return a * b > 0 ? Math.sign(a) * Math.min(Math.abs(a), Math.abs(b)) : 0;
}

/** Finds the lines of hips and shoulders in the pose. Returns the lines, axes of the file; null when one end of the trunk is missing. */
export function trunkLinesOf({ bonePositions, nodes }: EstimatorState): TrunkLines | null {
  return findTrunkLines(
    bonePositions,
    Int32Array.from(nodes, (node, bone) => (node < 0 ? -1 : bone)),
  );
}

/** Measures the lean of the corrected trunk. Returns lean to the front, radians; negative to the back. */
export function measureTrunkLean(state: EstimatorState): number {
  const lines = trunkLinesOf(state);
  if (lines === null) return 0;
  const lean = (line: Float64Array): number => {
    vec3.rotate(line, 0, state.corrections, 4 * BONE.hips, line, 0);
    return Math.atan2(line[2], line[1]) + BEHIND;
  };
  const shoulders = lean(lines.up);
  if (!hasBone(state, BONE.neck)) return shoulders;
  const neck = new Float64Array(3);
  vec3.subtract(neck, 0, state.bonePositions, 3 * BONE.neck, lines.bottom, 0);
  return agreed(shoulders, lean(neck));
}

/**
 * Measures the lean of an upper arm that was corrected together with the trunk. `trunk`: lean of the trunk to the front, radians. Returns lean to
 * the front that arm and trunk have in common, radians.
 */
export function measureArmLean(state: EstimatorState, side: Side, trunk: number): number {
  const upper = boneOf(side, 'UpperArm');
  const next = nextInChain(findChain(upper), upper, state.nodes, state.bonePositions);
  if (next < 0) return 0;
  const arm = correctedSegment(state, upper, next, upper);
  vec3.normalize(arm, 0, arm, 0);
  const [, up, front] = arm;
  const shown = Math.min((Math.abs(up) - Math.abs(front) / STEEPEST) / FULLY_SHOWN, 1);
  if (!(shown > 0)) return 0;
  return shown * shown * (3 - 2 * shown) * agreed(Math.atan(front / up), trunk);
}
