/** The T-pose that a body is put into: every direction that EXT_skeleton_humanoid ("Reference pose") asks for, whatever its file declares. */
import { BONE, BONE_COUNT, BONES, type BoneName } from '../humanoid/bones.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import { estimateTPose } from '../humanoid/reference/estimate-t-pose.ts';
import type { ModelPose } from '../humanoid/reference/model-pose.ts';
import { referenceOfNodes } from '../humanoid/reference/reference-of-nodes.ts';
import { lowestFoot, raise, rigidTurns, type TurnedPose, turnPose } from '../humanoid/reference/reference-pose.ts';
import { nextInChain, T_POSE_CHAINS } from '../humanoid/reference/t-pose.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';

const UP = [0, 1, 0] as const;
/** The frame of a pose that is in the canonical frame already. */
const CANONICAL: Float64Array = Float64Array.of(0, 0, 0, 1);
/** A bone that points where it should within this, radians, stays: roundings must not turn it. */
const POINTED = 1e-9;
/** Part of its length that a foot must go ahead for its heading to mean something. */
const LEAST_HEADING = 0.2;
const FINGERS = ['Index', 'Middle', 'Ring', 'Little'] as const;
const HAND_BONES = /Hand$|Thumb|Index|Middle|Ring|Little/;
/** Bones that strictness puts on one vertical line, and the one that ends it. */
const TRUNK: readonly BoneName[] = ['spine', 'chest', 'upperChest', 'neck', 'head'];

/** A body on its way into a T-pose: every bone has a turn of its own on top of how it stands, so that none moves another. */
interface Turning {
  readonly nodes: Int32Array;
  /** Rotations and places of nodes that the turns start from. */
  readonly pose: ModelPose;
  /** Per bone, xyzw. */
  readonly turns: Float64Array;
}

/** The way from a bone to another as the turn of the first shows it. */
function wayTo(out: Float64Array, { nodes, pose, turns }: Turning, from: number, to: number): void {
  vec3.subtract(out, 0, pose.positions, 3 * nodes[to], pose.positions, 3 * nodes[from]);
  vec3.rotate(out, 0, turns, 4 * from, out, 0);
}

function addTurn({ turns }: Turning, bone: number, rotation: Float64Array): void {
  quat.multiply(turns, 4 * bone, rotation, 0, turns, 4 * bone);
  quat.normalize(turns, 4 * bone, turns, 4 * bone);
}

/** Turns a bone by the shortest arc so that the next one lies in a direction. */
function point(body: Turning, bone: number, next: number, direction: readonly number[]): void {
  const way = new Float64Array(3);
  wayTo(way, body, bone, next);
  if (!(vec3.length(way, 0) > 0) || vec3.angleBetween(way, 0, direction, 0) < POINTED) return;
  const arc = new Float64Array(4);
  quat.fromTo(arc, 0, way, 0, direction, 0);
  addTurn(body, bone, arc);
}

/** Turns bones about an axis by an angle. */
function roll(body: Turning, bones: readonly number[], axis: readonly number[], angle: number): void {
  if (Math.abs(angle) < POINTED) return;
  const rotation = new Float64Array(4);
  quat.fromAxisAngle(rotation, 0, axis, 0, angle);
  for (const bone of bones) if (body.nodes[bone] >= 0) addTurn(body, bone, rotation);
}

/** Lets a palm face the ground, its fingers with it: the way from the little finger's knuckle to the index finger's points ahead. */
function rollPalm(body: Turning, side: 'left' | 'right'): void {
  const hand = BONE[`${side}Hand`];
  const knuckles = FINGERS.map((finger) => BONE[`${side}${finger}Proximal`]).filter((bone) => body.nodes[bone] >= 0);
  if (body.nodes[hand] < 0 || knuckles.length < 2) return;
  const first = new Float64Array(3);
  const last = new Float64Array(3);
  wayTo(first, body, hand, knuckles[0]);
  wayTo(last, body, hand, knuckles[knuckles.length - 1]);
  vec3.subtract(first, 0, first, 0, last, 0);
  if (!(Math.hypot(first[1], first[2]) > 0)) return;
  const below = BONES.flatMap((name, bone) => (HAND_BONES.test(name) && name.startsWith(side) ? [bone] : []));
  roll(body, below, [1, 0, 0], Math.atan2(first[1], first[2]));
}

/** Turns a foot to the front; one whose toes are straight below it has no heading. */
function headFoot(body: Turning, side: 'left' | 'right'): void {
  const foot = BONE[`${side}Foot`];
  const toes = BONE[`${side}Toes`];
  if (body.nodes[foot] < 0 || body.nodes[toes] < 0) return;
  const way = new Float64Array(3);
  wayTo(way, body, foot, toes);
  if (Math.hypot(way[0], way[2]) < LEAST_HEADING * vec3.length(way, 0)) return;
  roll(body, [foot, toes], UP, -Math.atan2(way[0], way[2]));
}

/** Makes limbs exactly T, which a pose that was estimated from movement may miss where its knees stayed bent. */
function straightenLimbs(body: Turning): void {
  const { nodes, pose } = body;
  const places = new Float64Array(3 * BONE_COUNT);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (nodes[bone] >= 0) vec3.copy(places, 3 * bone, pose.positions, 3 * nodes[bone]);
  }
  const along = (part: RegExp): void => {
    for (const chain of T_POSE_CHAINS.filter(({ limb }) => part.test(limb))) {
      for (const bone of chain.bones) {
        const next = nodes[bone] < 0 ? -1 : nextInChain(chain, bone, nodes, places);
        if (next >= 0) point(body, bone, next, chain.direction);
      }
    }
  };
  along(/Arm|Hand|Leg/);
  for (const side of ['left', 'right'] as const) {
    rollPalm(body, side);
    headFoot(body, side);
  }
  along(/Fingers/);
}

/** Turns each bone of the trunk so that the next one stands straight above it; all other bones keep how they stand. */
function straightenTrunk(body: Turning): void {
  const bones = TRUNK.map((name) => BONE[name]).filter((bone) => body.nodes[bone] >= 0);
  for (let k = 0; k + 1 < bones.length; k++) point(body, bones[k], bones[k + 1], UP);
}

/**
 * World rotations (4 a bone) and positions (3 a bone) of a T-pose without a fault: arms, hands and fingers along X, thumbs at 45°, palms
 * down, legs straight down, feet heading along +Z; canonical frame, meters, on the ground of the reference pose. A reference pose that is one
 * comes back unchanged. Spine, neck, head, shoulders and the pitch of the feet stay the character's own; with `strict` spine and neck
 * become vertical.
 */
export function conformingPose(humanoid: Humanoid, { strict = false }: { readonly strict?: boolean } = {}): TurnedPose {
  const { skeleton, map, reference } = humanoid;
  const { rotations, positions } = referenceOfNodes(humanoid);
  const pose: ModelPose = { from: reference.from, local: new Float64Array(0), rotations, positions };
  const turns =
    reference.kind === 'estimated'
      ? rigidTurns(CANONICAL)
      : estimateTPose(skeleton, map.nodes, pose, { rotation: CANONICAL, reason: 'the reference pose', confidence: 1 })
          .turns;
  const body: Turning = { nodes: map.nodes, pose, turns };
  straightenLimbs(body);
  if (strict) straightenTrunk(body);
  const posed = turnPose(map.nodes, pose, turns);
  raise(
    posed.positions,
    map.nodes,
    lowestFoot(reference.positions, map.nodes) - lowestFoot(posed.positions, map.nodes),
  );
  return posed;
}
