/**
 * C(b): the world axes of every bone in the T-pose of a character that faces +Z with +Y up (its left is +X).
 *
 * +Y points along the bone; a positive rotation about +X flexes the joint (EXT_skeleton_humanoid, "Reference pose").
 * What that text leaves open follows Godot's SkeletonProfileHumanoid, on which it is based. Thumbs point 45° between X
 * and Z.
 */
import { BONES, type BoneName } from './bones.ts';

const H = Math.SQRT1_2;
const COS_22 = Math.cos(Math.PI / 8) * H;
const SIN_22 = Math.sin(Math.PI / 8) * H;

type Quaternion = readonly [number, number, number, number];

const UPRIGHT: Quaternion = [0, 0, 0, 1];

/** Axes of the center and left bones; the right side mirrors them. */
const AXES: readonly (readonly [RegExp, Quaternion])[] = [
  [/^(hips|spine|chest|upperChest|neck|head)$/, UPRIGHT],
  [/Eye$/, [H, 0, 0, H]],
  [/^jaw$/, [0, H, H, 0]],
  [/Shoulder$/, [-0.5, -0.5, -0.5, 0.5]],
  [/LowerArm$/, [0, 0, -H, H]],
  [/Thumb/, [COS_22, COS_22, SIN_22, SIN_22]],
  [/(UpperArm|Hand|Index|Middle|Ring|Little)/, [0.5, 0.5, -0.5, 0.5]],
  [/UpperLeg$/, [0, 0, 1, 0]],
  [/LowerLeg$/, [1, 0, 0, 0]],
  [/Foot$/, [0, H, H, 0]],
  [/Toes$/, [H, 0, 0, H]],
];

/** Mirrors a rotation in the plane x = 0. */
function mirrored([x, y, z, w]: Quaternion): Quaternion {
  return [x, -y, -z, w];
}

function axesOf(bone: BoneName): Quaternion {
  const entry = AXES.find(([pattern]) => pattern.test(bone));
  const axes = entry?.[1] ?? UPRIGHT;
  return bone.startsWith('right') ? mirrored(axes) : axes;
}

/** C(b) per bone, xyzw, in the order of BONES; canonical frame, world space. */
export const CANONICAL_FRAMES: Float64Array = Float64Array.from(BONES.flatMap((bone) => [...axesOf(bone)]));
