/**
 * The body that humanoid clips are for: bones and nothing else, each with its canonical axes. A rotation track on it is `q = C(p)⁻¹ · C(b) · r`,
 * so that what is retargeted onto it or from it is r, the rotation relative to the reference pose that EXT_skeleton_humanoid stores.
 */
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { POSE_STRIDE, type Skeleton } from '../skeleton/skeleton.ts';
import { BONE_COUNT, BONE_PARENTS, BONES, type BoneName, presentParent } from './bones.ts';
import { CANONICAL_FRAMES } from './canonical-frames.ts';
import type { DeclaredHumanoid } from './humanoid.ts';

type Offset = readonly [number, number, number];

/**
 * Offset of a bone from its parent bone in the T-pose of a grown-up whose hips are one unit high: what is drawn of a body that is only rotations,
 * and where its joints are when nobody says. Left side and middle; the right side mirrors them.
 */
const OFFSETS: Readonly<Record<string, Offset>> = {
  hips: [0, 0, 0],
  spine: [0, 0.1, 0],
  chest: [0, 0.13, 0],
  upperChest: [0, 0.13, 0],
  neck: [0, 0.14, 0],
  head: [0, 0.1, 0],
  leftEye: [0.033, 0.06, 0.07],
  jaw: [0, 0.01, 0.03],
  leftShoulder: [0.03, 0.1, 0],
  leftUpperArm: [0.13, 0, 0],
  leftLowerArm: [0.29, 0, 0],
  leftHand: [0.27, 0, 0],
  leftUpperLeg: [0.1, -0.05, 0],
  leftLowerLeg: [0, -0.43, 0],
  leftFoot: [0, -0.44, 0],
  leftToes: [0, -0.06, 0.14],
  leftThumbMetacarpal: [0.03, 0, 0.03],
  leftThumbProximal: [0.035, 0, 0.035],
  leftThumbDistal: [0.025, 0, 0.025],
  leftIndexProximal: [0.1, 0, 0.02],
  leftIndexIntermediate: [0.04, 0, 0],
  leftIndexDistal: [0.025, 0, 0],
  leftMiddleProximal: [0.1, 0, 0],
  leftMiddleIntermediate: [0.045, 0, 0],
  leftMiddleDistal: [0.03, 0, 0],
  leftRingProximal: [0.1, 0, -0.02],
  leftRingIntermediate: [0.04, 0, 0],
  leftRingDistal: [0.03, 0, 0],
  leftLittleProximal: [0.09, 0, -0.04],
  leftLittleIntermediate: [0.03, 0, 0],
  leftLittleDistal: [0.02, 0, 0],
};

function offsetOf(name: BoneName): Offset {
  if (!name.startsWith('right')) return OFFSETS[name];
  const [x, y, z] = OFFSETS[`left${name.slice(5)}`];
  return [-x, y, z];
}

/** Place of every bone in the T-pose, hips at the origin, the height of the hips being 1. */
const PLACES: Float64Array = new Float64Array(3 * BONE_COUNT);
for (let bone = 0; bone < BONE_COUNT; bone++) {
  const parent = BONE_PARENTS[bone];
  PLACES.set(offsetOf(BONES[bone]), 3 * bone);
  if (parent >= 0) vec3.add(PLACES, 3 * bone, PLACES, 3 * bone, PLACES, 3 * parent);
}

/** A skeleton of bones, and what is to be known of it: `describeHumanoid` makes a humanoid of both. */
export interface PortableBody {
  readonly skeleton: Skeleton;
  readonly declared: DeclaredHumanoid;
}

/**
 * The body of humanoid clips that animate `bones` (indices of BONES; hips are added, the order is that of BONES): a node per bone, named like
 * it, its parent the nearest bone above that is there. Canonical frame, meters; at rest it stands in the T-pose with its canonical axes, the hips
 * `hipsHeight` above the ground y = 0. With null, when nobody knows how high the hips of the motion were, they are at the origin.
 */
export function portableBody(bones: Iterable<number>, hipsHeight: number | null): PortableBody {
  const wanted = new Set([0, ...bones]);
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  const names: string[] = [];
  const parents: number[] = [];
  const list = Array.from(wanted).sort((a, b) => a - b);
  const rest = new Float64Array(POSE_STRIDE * list.length);
  const scale = hipsHeight ?? 1;
  const toParent = new Float64Array(4);
  list.forEach((bone, node) => {
    const above = presentParent(bone, nodes);
    nodes[bone] = node;
    names.push(BONES[bone]);
    parents.push(above < 0 ? -1 : nodes[above]);
    const at = POSE_STRIDE * node;
    rest.fill(1, at + 7, at + 10);
    quat.copy(rest, at + 3, CANONICAL_FRAMES, 4 * bone);
    if (above < 0) {
      rest[at + 1] = hipsHeight ?? 0;
      return;
    }
    quat.conjugate(toParent, 0, CANONICAL_FRAMES, 4 * above);
    vec3.subtract(rest, at, PLACES, 3 * bone, PLACES, 3 * above);
    vec3.scale(rest, at, rest, at, scale);
    vec3.rotate(rest, at, toParent, 0, rest, at);
    quat.multiply(rest, at + 3, toParent, 0, rest, at + 3);
  });
  return {
    skeleton: {
      name: 'humanoid clips',
      names,
      parents: Int32Array.from(parents),
      rest,
      bind: null,
      joints: new Uint8Array(names.length),
    },
    declared: { format: 'ext', nodes, facing: '+Z' },
  };
}
