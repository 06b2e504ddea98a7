import { skinPoint } from '../../deform/skin-points.ts';
import { BONE, SIDES } from '../../humanoid/bones.ts';
import { isHipsHeightUsable } from '../../humanoid/hips-height.ts';
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { MATRIX_STRIDE } from '../../skeleton/skeleton.ts';
import { createPosedCharacter, type Leg, type PosedCharacter } from '../frames/posed-character.ts';
import type { ContactPlan } from '../plan/contact-plan.ts';
import { referenceMatrices } from '../surface/reference-matrices.ts';
import {
  type GroundHeight,
  type LiveCharacter,
  type LiveFoot,
  type LiveLeg,
  type LiveState,
  NO_MEMORY,
  NO_TIME,
  NOTHING_SEEN,
  STILL_HIPS,
} from './live-state.ts';
import { createPartialPose } from './partial-pose.ts';
import { createSolePoints } from './sole-points.ts';
import { createTrunkPoints } from './trunk-points.ts';

/** How much longer the reach of a foot is than in the reference pose: its toes may be stretched. */
const REACH_MARGIN = 1.1;

const Y = [0, 1, 0] as const;
const LEG_BONES = SIDES.flatMap((side) =>
  (['UpperLeg', 'LowerLeg', 'Foot', 'Toes'] as const).map((part) => BONE[`${side}${part}`]),
);

function createCharacter({ humanoid, surface, legs, arms }: PosedCharacter): LiveCharacter {
  const { map, reference, hipsHeight } = humanoid;
  const ofLegs = [BONE.hips, ...LEG_BONES].map((bone) => map.nodes[bone]);
  const ofArms = SIDES.flatMap((side) => arms[side] ?? []).flatMap(({ thigh, shin, foot }) => [thigh, shin, foot]);
  const ofTrunk = [...surface.bones.subarray(0, surface.trunkEnd)].map((bone) => map.nodes[bone]);
  const pose = createPartialPose(humanoid, [ofLegs, ofArms, ofTrunk]);
  const endOf = (nodes: readonly number[]): number => 1 + Math.max(...nodes.map((node) => pose.nodes.indexOf(node)));
  const legLength = Math.max(0, ...SIDES.map((side) => legs[side]?.length ?? 0)) || hipsHeight;
  const hipsUp = new Float64Array(3);
  const inverse = quat.conjugated(reference.rotations, 4 * BONE.hips);
  vec3.rotate(hipsUp, 0, inverse, 0, Y, 0);
  return {
    pose,
    legsEnd: endOf(ofLegs),
    armsEnd: endOf([...ofLegs, ...ofArms]),
    hips: pose.nodes.indexOf(map.nodes[BONE.hips]),
    trunk: createTrunkPoints(humanoid, surface, pose, legLength),
    hipsUp,
    hipsHeight,
    floor: surface.floor,
    legLength,
    trunkLimit: Float64Array.of(Number.POSITIVE_INFINITY),
  };
}

function createLeg({ humanoid, surface }: PosedCharacter, { pose }: LiveCharacter, leg: Leg): LiveLeg {
  const { isArm, thigh, shin, foot, sole, hinge, length } = leg;
  const entryOf = (node: number): number => pose.nodes.indexOf(node);
  const matrices = referenceMatrices(humanoid);
  const ankle = MATRIX_STRIDE * foot + 12;
  const position = new Float64Array(3);
  let reach = 0;
  for (let point = sole.from; point < sole.to; point++) {
    skinPoint(position, 0, surface.points, point, matrices);
    reach = Math.max(reach, vec3.distance(position, 0, matrices, ankle) + surface.points.radii[point]);
  }
  return {
    isArm,
    entries: Int32Array.of(entryOf(thigh), entryOf(shin), entryOf(foot)),
    ends: Float64Array.of(...sole.ball, ...sole.heel),
    ballHeight: sole.ballHeight,
    hinge,
    length,
    points: createSolePoints(humanoid, surface, leg, pose),
    reach: REACH_MARGIN * reach,
  };
}

function isBelow(parents: Int32Array, node: number, above: number): boolean {
  let at = parents[node];
  while (at >= 0 && at !== above) at = parents[at];
  return at === above;
}

/** Allocates the memory of contacts that are kept frame by frame. */
export function createLiveState(
  plan: ContactPlan,
  sourceGround: GroundHeight | null,
  ground: GroundHeight | null,
): LiveState {
  const { source, target, sourceSurface, targetSurface } = plan;
  const [from, to] = [createPosedCharacter(source, sourceSurface), createPosedCharacter(target, targetSurface)];
  const [sourceCharacter, targetCharacter] = [createCharacter(from), createCharacter(to)];
  const { parents } = target.skeleton;
  const footOf = (a: Leg | null, b: Leg | null): LiveFoot[] => {
    if (a === null || b === null) return [];
    return [
      {
        side: a.side,
        source: createLeg(from, sourceCharacter, a),
        target: createLeg(to, targetCharacter, b),
        isShinConnected: isBelow(parents, b.shin, b.thigh),
        isFootConnected: isBelow(parents, b.foot, b.shin),
        isToePlanted: false,
        isHeelPlanted: false,
        ends: new Float64Array(12),
        formerEnds: new Float64Array(12),
        velocities: new Float64Array(6),
        joints: new Float64Array(9),
        goal: new Float64Array(3),
        now: { ...NOTHING_SEEN },
        memory: { ...NO_MEMORY, shift: new Float64Array(2), shiftVelocity: new Float64Array(2) },
      },
    ];
  };
  return {
    plan,
    source: sourceCharacter,
    target: targetCharacter,
    feet: SIDES.flatMap((side) => footOf(from.legs[side], to.legs[side])),
    hands: plan.mode === 'ground' ? [] : SIDES.flatMap((side) => footOf(from.arms[side], to.arms[side])),
    areHandsLow: false,
    wereHandsLow: false,
    hips: { ...STILL_HIPS },
    hipsPositions: new Float64Array(6),
    formerHips: new Float64Array(6),
    time: { ...NO_TIME },
    sourceGround,
    ground,
    isUsable: [source, target].every(({ hipsHeight, height }) => isHipsHeightUsable(hipsHeight, height)),
    isFresh: true,
  };
}
