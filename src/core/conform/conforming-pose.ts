/** The T-pose that a body is put into: every direction that EXT_skeleton_humanoid ("Reference pose") asks for, whatever its file declares. */
import { BONE, type BoneName } from '../humanoid/bones.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import { estimateTPose } from '../humanoid/reference/estimate-t-pose.ts';
import type { ModelPose } from '../humanoid/reference/model-pose.ts';
import { referenceOfNodes } from '../humanoid/reference/reference-of-nodes.ts';
import { lowestFoot, raise, rigidTurns, type TurnedPose, turnPose } from '../humanoid/reference/reference-pose.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';

const UP = [0, 1, 0] as const;
/** The frame of a pose that is in the canonical frame already. */
const CANONICAL: Float64Array = Float64Array.of(0, 0, 0, 1);
/** Bones that strictness puts on one vertical line, and the one that ends it. */
const TRUNK: readonly BoneName[] = ['spine', 'chest', 'upperChest', 'neck', 'head'];

/** Turns each bone of the trunk so that the next one stands straight above it; all other bones keep how they stand. */
function straightenTrunk(turns: Float64Array, nodes: Int32Array, pose: ModelPose): void {
  const bones = TRUNK.map((name) => BONE[name]).filter((bone) => nodes[bone] >= 0);
  const way = new Float64Array(3);
  const arc = new Float64Array(4);
  for (let k = 0; k + 1 < bones.length; k++) {
    const at = 4 * bones[k];
    vec3.subtract(way, 0, pose.positions, 3 * nodes[bones[k + 1]], pose.positions, 3 * nodes[bones[k]]);
    if (!(vec3.length(way, 0) > 0)) continue;
    vec3.rotate(way, 0, turns, at, way, 0);
    quat.fromTo(arc, 0, way, 0, UP, 0);
    quat.multiply(turns, at, arc, 0, turns, at);
    quat.normalize(turns, at, turns, at);
  }
}

/**
 * World rotations (4 a bone) and positions (3 a bone) of a T-pose without a fault: arms, hands and fingers along X, thumbs at 45°, palms
 * down, legs straight down, feet heading along +Z; canonical frame, metres, on the ground of the reference pose. A reference pose that is one
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
  if (strict) straightenTrunk(turns, map.nodes, pose);
  const posed = turnPose(map.nodes, pose, turns);
  raise(
    posed.positions,
    map.nodes,
    lowestFoot(reference.positions, map.nodes) - lowestFoot(posed.positions, map.nodes),
  );
  return posed;
}
