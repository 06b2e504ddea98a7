/** The bodies that standard rigs get their lengths from: where the joint of each bone is in the T-pose. */
import * as vec3 from '../../math/vec3.ts';
import { BONE, BONE_COUNT, BONE_PARENTS, type BoneName, SIDES } from '../bones.ts';
import { T_POSE_POSITIONS } from '../canonical-rig.ts';
import type { Humanoid } from '../humanoid.ts';
import { createNormalizedHumanoid } from '../normalized-humanoid.ts';

/** Joint of every bone in the T-pose, xyz per bone: facing +Z, up +Y, meters, ground at y = 0, hips above the origin. */
export type BodyPositions = Float64Array;

/** Height of the hips joint of an adult of 1.70 m, meters: the mean stature of adults worldwide is 1.59 m (women) to 1.71 m (men), of Europeans 1.66 m to 1.80 m. */
const ADULT_HIPS_HEIGHT = 0.93;

const TRUNK: readonly number[] = [BONE.hips, BONE.spine, BONE.chest, BONE.upperChest, BONE.neck, BONE.head];

function adultBody(hipsHeight: number): BodyPositions {
  const body = T_POSE_POSITIONS.map((value) => value * hipsHeight);
  for (let bone = 0; bone < BONE_COUNT; bone++) body[3 * bone + 1] += hipsHeight;
  return body;
}

/** Sets `out[bone]` to `out[from]` plus the vector between both in `adult`. */
function placeLike(out: BodyPositions, bone: number, from: number, adult: BodyPositions): void {
  const offset = new Float64Array(3);
  vec3.subtract(offset, 0, adult, 3 * bone, adult, 3 * from);
  vec3.add(out, 3 * bone, out, 3 * from, offset, 0);
}

/** Places trunk bones that a humanoid lacks: between those that it has at the share of the way that they have in an adult, beyond them at the distance. */
function fillTrunk(body: BodyPositions, adult: BodyPositions, has: (bone: number) => boolean): void {
  for (const [k, bone] of TRUNK.entries()) {
    if (has(bone)) continue;
    const below = TRUNK[k - 1];
    const above = TRUNK.slice(k + 1).find(has);
    if (above === undefined) {
      placeLike(body, bone, below, adult);
      continue;
    }
    const [from, at, to] = [below, bone, above].map((one) => adult[3 * one + 1]);
    const share = (at - from) / (to - from);
    for (let axis = 0; axis < 3; axis++) {
      const start = body[3 * below + axis];
      body[3 * bone + axis] = start + share * (body[3 * above + axis] - start);
    }
  }
}

/**
 * Returns the body of a humanoid in its T-pose. Bones that it lacks are where an adult of its height has them. `humanoid`: the humanoid; null for
 * an average adult.
 */
export function bodyPositions(humanoid: Humanoid | null): BodyPositions {
  if (humanoid === null) return adultBody(ADULT_HIPS_HEIGHT);
  // The T-pose, also of a VRM that declares another pose.
  const { declaredPose: _, ...straight } = humanoid;
  const { map, reference } = createNormalizedHumanoid(straight);
  const has = (bone: number): boolean => map.nodes[bone] >= 0;
  const body = reference.positions.slice();
  const [x, hipsHeight, z] = body.subarray(3 * BONE.hips, 3 * BONE.hips + 3);
  const adult = adultBody(hipsHeight);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (!has(bone)) continue;
    body[3 * bone] -= x;
    body[3 * bone + 2] -= z;
  }
  fillTrunk(body, adult, has);
  for (const side of SIDES) {
    const [shoulder, arm] = [BONE[`${side}Shoulder` as BoneName], BONE[`${side}UpperArm` as BoneName]];
    if (!has(shoulder) && has(arm)) placeLike(body, shoulder, arm, adult);
    else if (!has(shoulder)) placeLike(body, shoulder, BONE.upperChest, adult);
  }
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const isPlaced = has(bone) || TRUNK.includes(bone) || bone === BONE.leftShoulder || bone === BONE.rightShoulder;
    if (!isPlaced) placeLike(body, bone, BONE_PARENTS[bone], adult);
  }
  // Where only ankles are known, they are on the ground, and toes are below it.
  const lowest = Math.min(body[3 * BONE.leftToes + 1], body[3 * BONE.rightToes + 1]);
  const lift = lowest < 0 ? adult[3 * BONE.leftToes + 1] - lowest : 0;
  for (let bone = 0; bone < BONE_COUNT; bone++) body[3 * bone + 1] += lift;
  return body;
}
