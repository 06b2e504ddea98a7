import { POSE_STRIDE, type Skeleton } from '../skeleton/skeleton.ts';
import { BONE, BONE_COUNT, BONES, presentParent } from './bones.ts';
import { straightenLike, withDeclaredPose } from './declared-pose.ts';
import { isHipsHeightUsable } from './hips-height.ts';
import type { Humanoid, ReferencePose } from './humanoid.ts';
import { areHipsAtPelvis, pelvisPosition } from './pelvis.ts';
import { lowestFootHeight } from './t-pose/bone-pose.ts';

/** Height of the ground, canonical frame. Where the hips are not above it, the lowest foot is the ground: the rig needs a hips height. */
function groundOf({ map, reference, ground, hipsHeight, height }: Humanoid): number {
  return isHipsHeightUsable(hipsHeight, height) ? ground : lowestFootHeight(reference.positions, map.nodes);
}

/** The reference pose without rotations, moved onto the ground y = 0, with hips where other programs expect them. */
function normalizedReference(humanoid: Humanoid, ground: number): ReferencePose {
  const { map, reference } = humanoid;
  const rotations = new Float64Array(4 * BONE_COUNT);
  const positions = reference.positions.slice();
  // Players scale the motion by the height of the hips joint, which is on the floor or at the chest of some rigs.
  if (!areHipsAtPelvis(humanoid)) positions.set(pelvisPosition(map.nodes, positions), 3 * BONE.hips);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    rotations[4 * bone + 3] = 1;
    if (map.nodes[bone] >= 0) positions[3 * bone + 1] -= ground;
  }
  return { ...reference, rotations, positions };
}

/**
 * Creates the normalized form of a humanoid, as VRM 0.x requires of its files and VRM 1.0 players create: one node per
 * present bone, named like the bone and parented to its nearest present ancestor, in the order of BONES. Its rest pose
 * is the reference pose, without rotation or scale; canonical frame (facing +Z, up +Y), meters, ground at y = 0. A
 * humanoid whose hips are not above its ground gets its lowest foot as the ground. A VRM whose declared pose was
 * straightened rests in its declared pose, as players show it. Hips that are far from the pelvis (on the floor, at the chest) are put there.
 *
 * A motion that is retargeted onto it (`planRetarget(humanoid, createNormalizedHumanoid(humanoid))`, hips scale 1) has
 * the local rotations `D(p)⁻¹ · D(b)`, p the parent bone. These are the same numbers for every character in the same
 * pose ("NormalizedLocalRotation" of VRMC_vrm_animation-1.0, how_to_transform_human_pose.md).
 *
 * @param humanoid The humanoid to normalize; it is not changed.
 * @returns The normalized humanoid, with the same bones and joint positions.
 * @throws RangeError For a humanoid without hips.
 */
export function createNormalizedHumanoid(humanoid: Humanoid): Humanoid {
  const { map, skeleton } = humanoid;
  if (!(map.nodes[BONE.hips] >= 0))
    throw new RangeError('createNormalizedHumanoid: the humanoid has no hips; expected a humanoid with the bone hips.');
  const shown = withDeclaredPose(humanoid);
  const ground = groundOf(shown);
  const reference = normalizedReference(shown, ground);
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
  const normalized: Skeleton = {
    name: skeleton.name,
    names,
    parents: Int32Array.from(parents),
    rest: Float64Array.from(rest),
    bind: null,
    joints: new Uint8Array(names.length),
  };
  const atRest: Humanoid = {
    skeleton: normalized,
    map: { ...map, nodes },
    reference,
    basePose: null,
    frame: Float64Array.of(0, 0, 0, 1),
    metersPerUnit: 1,
    ground: 0,
    hipsHeight: shown.hipsHeight + (shown.ground - ground),
    height: shown.height + (shown.ground - ground),
    issues: [],
  };
  return straightenLike(atRest, humanoid, 'vrma');
}

/**
 * Checks whether a humanoid has the form that {@link createNormalizedHumanoid} creates: only bones, axes of the world,
 * meters, ground at y = 0.
 */
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
