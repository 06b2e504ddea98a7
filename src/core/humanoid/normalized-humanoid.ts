/** The body that a portable motion is written for: the bones of a humanoid and nothing else, every axis that of the world. */
import { POSE_STRIDE, type Skeleton } from '../skeleton/skeleton.ts';
import { BONE, BONE_COUNT, BONES, presentParent } from './bones.ts';
import type { Humanoid, ReferencePose } from './humanoid.ts';
import { lowestFoot } from './reference/reference-pose.ts';

/** Hips lower than this above the ground, relative to the height of the body, are not above it. */
const LEAST_HIPS = 0.01;

/** Height of the ground, canonical frame; where the hips are not above it, that of the lowest foot: a motion needs hips of some height. */
function groundOf({ map, reference, ground, hipsHeight, height }: Humanoid): number {
  return hipsHeight > LEAST_HIPS * height ? ground : lowestFoot(reference.positions, map.nodes);
}

/** The reference pose without rotations, standing on y = 0. */
function normalizedReference({ map, reference }: Humanoid, ground: number): ReferencePose {
  const rotations = new Float64Array(4 * BONE_COUNT);
  const positions = reference.positions.slice();
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    rotations[4 * bone + 3] = 1;
    if (map.nodes[bone] >= 0) positions[3 * bone + 1] -= ground;
  }
  return { ...reference, rotations, positions };
}

/**
 * The normalized form of a humanoid (as VRM 0.x asks of its files, and VRM 1.0 players make of theirs): a skeleton with one node
 * per bone that is there, named like the bone, parents as in the tree of bones (the nearest that is there), in the order of BONES.
 * At rest it stands in the reference pose, without a rotation or a scale; canonical frame (facing +Z, up +Y), meters, ground
 * at y = 0 (a body whose hips are not above its ground stands on its lowest foot). The rest pose is the reference pose.
 *
 * A motion that is retargeted onto it (`planRetarget(humanoid, normalizedHumanoid(humanoid))`, the hips scale is 1) has local
 * rotations `D(p)⁻¹ · D(b)`, p the parent bone: the same numbers for every body that makes the same gesture ("NormalizedLocalRotation"
 * of VRMC_vrm_animation-1.0, how_to_transform_human_pose.md). RangeError for a humanoid without hips.
 */
export function normalizedHumanoid(humanoid: Humanoid): Humanoid {
  const { map, skeleton } = humanoid;
  if (!(map.nodes[BONE.hips] >= 0))
    throw new RangeError('normalizedHumanoid: there are no hips, expected a humanoid with the bone hips');
  const ground = groundOf(humanoid);
  const reference = normalizedReference(humanoid, ground);
  const { positions } = reference;
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  const names: string[] = [];
  const parents: number[] = [];
  const rest: number[] = [];
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (map.nodes[bone] < 0) continue;
    nodes[bone] = names.length;
    names.push(BONES[bone]);
    const above = presentParent(bone, map.nodes);
    parents.push(above < 0 ? -1 : nodes[above]);
    for (let axis = 0; axis < 3; axis++) {
      rest.push(positions[3 * bone + axis] - (above < 0 ? 0 : positions[3 * above + axis]));
    }
    rest.push(0, 0, 0, 1, 1, 1, 1);
  }
  const body: Skeleton = {
    name: skeleton.name,
    names,
    parents: Int32Array.from(parents),
    rest: Float64Array.from(rest),
    bind: null,
    joints: new Uint8Array(names.length),
  };
  return {
    skeleton: body,
    map: { ...map, nodes },
    reference,
    shape: null,
    frame: Float64Array.of(0, 0, 0, 1),
    metersPerUnit: 1,
    ground: 0,
    hipsHeight: humanoid.hipsHeight + (humanoid.ground - ground),
    height: humanoid.height + (humanoid.ground - ground),
    issues: [],
  };
}

/** Whether a humanoid is in the form that {@link normalizedHumanoid} gives: only bones, world axes, meters, ground at y = 0. */
export function isNormalized({ skeleton, map, frame, metersPerUnit, ground }: Humanoid): boolean {
  const { parents, rest } = skeleton;
  const boneCount = map.nodes.reduce((count, node) => count + (node >= 0 ? 1 : 0), 0);
  if (boneCount !== parents.length || metersPerUnit !== 1 || ground !== 0 || Math.abs(frame[3]) !== 1) return false;
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const node = map.nodes[bone];
    if (node < 0) continue;
    const above = presentParent(bone, map.nodes);
    if (parents[node] !== (above < 0 ? -1 : map.nodes[above])) return false;
    const at = POSE_STRIDE * node;
    for (let c = 3; c < POSE_STRIDE; c++) if (rest[at + c] !== (c < 6 ? 0 : 1)) return false;
  }
  return true;
}
