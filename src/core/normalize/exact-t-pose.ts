/** Computes the exact T-pose of a character: every direction that EXT_skeleton_humanoid ("Reference pose") requires, whatever its file declares. */

import { BONE, BONE_COUNT, BONES, type BoneName, FINGERS, isFingerBone, SIDES } from '../humanoid/bones.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import {
  applyCorrections,
  type BonePose,
  lowestFootHeight,
  moveBones,
  uniformCorrections,
} from '../humanoid/t-pose/bone-pose.ts';
import { estimateTPose } from '../humanoid/t-pose/estimate-t-pose.ts';
import { addRotation, type EstimatorState } from '../humanoid/t-pose/estimator-state.ts';
import type { ModelPose } from '../humanoid/t-pose/model-pose.ts';
import { computeNodeReference } from '../humanoid/t-pose/node-reference.ts';
import { nextInChain, T_POSE_CHAINS } from '../humanoid/t-pose/t-pose-chains.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';

const UP = [0, 1, 0] as const;
const CANONICAL: Float64Array = Float64Array.of(0, 0, 0, 1);
/** A bone within this angle of its direction, radians, is not rotated: rounding errors must not change it. */
const ALIGNED_ANGLE = 1e-9;
/** A foot has a heading when at least this fraction of it is horizontal. */
const MIN_HEADING = 0.2;
/** Bones that the strict T-pose puts on one vertical line. */
const TRUNK: readonly BoneName[] = ['spine', 'chest', 'upperChest', 'neck', 'head'];

/** A pose on its way to a T-pose. Every bone has a correction of its own, so that no bone moves another. */
type Correction = Pick<EstimatorState, 'nodes' | 'pose' | 'corrections'>;

/** The vector between two bones, rotated by the correction of the first. */
function correctedVector(out: Float64Array, { nodes, pose, corrections }: Correction, from: number, to: number): void {
  vec3.subtract(out, 0, pose.positions, 3 * nodes[to], pose.positions, 3 * nodes[from]);
  vec3.rotate(out, 0, corrections, 4 * from, out, 0);
}

/** Rotates a bone by the shortest arc so that the next bone is in a direction. */
function point(state: Correction, bone: number, next: number, direction: readonly number[]): void {
  const vector = new Float64Array(3);
  correctedVector(vector, state, bone, next);
  if (!(vec3.length(vector, 0) > 0) || vec3.angleBetween(vector, 0, direction, 0) < ALIGNED_ANGLE) return;
  const arc = new Float64Array(4);
  quat.fromTo(arc, 0, vector, 0, direction, 0);
  addRotation(state, bone, arc);
}

function roll(state: Correction, bones: readonly number[], axis: readonly number[], angle: number): void {
  if (Math.abs(angle) < ALIGNED_ANGLE) return;
  const rotation = new Float64Array(4);
  quat.fromAxisAngle(rotation, 0, axis, 0, angle);
  for (const bone of bones) if (state.nodes[bone] >= 0) addRotation(state, bone, rotation);
}

/** Rolls a palm with its fingers to face the ground: the line from the knuckle of the little finger to that of the index finger points ahead. */
function rollPalm(state: Correction, side: 'left' | 'right'): void {
  const hand = BONE[`${side}Hand`];
  const knuckles = FINGERS.map((finger) => BONE[`${side}${finger}Proximal`]).filter((bone) => state.nodes[bone] >= 0);
  if (state.nodes[hand] < 0 || knuckles.length < 2) return;
  const first = new Float64Array(3);
  const last = new Float64Array(3);
  correctedVector(first, state, hand, knuckles[0]);
  correctedVector(last, state, hand, knuckles[knuckles.length - 1]);
  vec3.subtract(first, 0, first, 0, last, 0);
  if (!(Math.hypot(first[1], first[2]) > 0)) return;
  const below = BONES.flatMap((name, bone) => {
    const isHandBone = name === `${side}Hand` || (isFingerBone(name) && name.startsWith(side));
    return isHandBone ? [bone] : [];
  });
  roll(state, below, [1, 0, 0], Math.atan2(first[1], first[2]));
}

/** Rotates a foot to the front. A foot with toes straight below has no heading. */
function headFoot(state: Correction, side: 'left' | 'right'): void {
  const foot = BONE[`${side}Foot`];
  const toes = BONE[`${side}Toes`];
  if (state.nodes[foot] < 0 || state.nodes[toes] < 0) return;
  const vector = new Float64Array(3);
  correctedVector(vector, state, foot, toes);
  if (Math.hypot(vector[0], vector[2]) < MIN_HEADING * vec3.length(vector, 0)) return;
  roll(state, [foot, toes], UP, -Math.atan2(vector[0], vector[2]));
}

/** Makes limbs exactly T. An estimate from a pose in motion may miss it where knees stayed bent. */
function straightenLimbs(state: Correction): void {
  const { nodes, pose } = state;
  const positions = new Float64Array(3 * BONE_COUNT);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (nodes[bone] >= 0) vec3.copy(positions, 3 * bone, pose.positions, 3 * nodes[bone]);
  }
  const along = (part: RegExp): void => {
    for (const chain of T_POSE_CHAINS.filter(({ limb }) => part.test(limb))) {
      for (const bone of chain.bones) {
        const next = nodes[bone] < 0 ? -1 : nextInChain(chain, bone, nodes, positions);
        if (next >= 0) point(state, bone, next, chain.direction);
      }
    }
  };
  along(/Arm|Hand|Leg/);
  for (const side of SIDES) {
    rollPalm(state, side);
    headFoot(state, side);
  }
  along(/Fingers/);
}

/** Rotates each bone of the spine so that the next one is straight above it. All other bones keep their orientation. */
function straightenTrunk(state: Correction): void {
  const bones = TRUNK.map((name) => BONE[name]).filter((bone) => state.nodes[bone] >= 0);
  for (let k = 0; k + 1 < bones.length; k++) point(state, bones[k], bones[k + 1], UP);
}

/**
 * Computes an exact T-pose: arms, hands and fingers along X, thumbs at 45°, palms down, legs straight down, feet heading along +Z. Spine, neck,
 * head, shoulders and the pitch of the feet keep the pose of the character. A reference pose that is an exact T-pose comes back unchanged. Returns
 * world rotations and positions of the bones; canonical frame, meters, on the ground of the reference pose.
 */
export function computeExactTPose(
  humanoid: Humanoid,
  { strict = false }: { readonly strict?: boolean } = {},
): BonePose {
  const { skeleton, map, reference } = humanoid;
  const { rotations, positions } = computeNodeReference(humanoid);
  const pose: ModelPose = { from: reference.from, local: new Float64Array(0), rotations, positions };
  // A declared pose that was straightened may keep parts that are far from a T-pose.
  const corrections =
    reference.kind === 'estimated' && humanoid.declaredPose === undefined
      ? uniformCorrections(CANONICAL)
      : estimateTPose(skeleton, map.nodes, pose, { rotation: CANONICAL, reason: 'the reference pose', confidence: 1 })
          .corrections;
  const state: Correction = { nodes: map.nodes, pose, corrections };
  straightenLimbs(state);
  if (strict) straightenTrunk(state);
  const posed = applyCorrections(map.nodes, pose, corrections);
  const height = lowestFootHeight(reference.positions, map.nodes) - lowestFootHeight(posed.positions, map.nodes);
  moveBones(posed.positions, map.nodes, [0, height, 0]);
  return posed;
}
