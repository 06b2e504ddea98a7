/** Characters in an exact T-pose, canonical frame, meters, as positions of all 55 bones. */
import { BONE_COUNT, BONE_MIRRORS, BONE_PARENTS, BONES, type BoneName } from '../../../src/core/humanoid/bones.ts';
import { between, type Random } from '../../../src/demo/random.ts';

const H = Math.SQRT1_2;

/**
 * Offset of every middle and left bone from its parent in the full tree. Arms and fingers are exactly along X, legs along Y, and the
 * shoulders are right above the hips, so that the up and front axes are exact.
 */
const OFFSETS: Readonly<Record<string, readonly [number, number, number]>> = {
  hips: [0, 0.95, 0],
  spine: [0, 0.1, 0.01],
  chest: [0, 0.13, 0.005],
  upperChest: [0, 0.12, -0.015],
  neck: [0, 0.15, 0.01],
  head: [0, 0.1, 0.02],
  leftEye: [0.03, 0.07, 0.07],
  jaw: [0, 0.02, 0.03],
  leftShoulder: [0.03, 0.12, 0],
  leftUpperArm: [0.13, 0, 0],
  leftLowerArm: [0.27, 0, 0],
  leftHand: [0.25, 0, 0],
  leftUpperLeg: [0.09, -0.06, 0],
  leftLowerLeg: [0, -0.41, 0],
  leftFoot: [0, -0.4, 0],
  leftToes: [0, -0.06, 0.13],
  leftThumbMetacarpal: [0.03, -0.01, 0.03],
  leftThumbProximal: [0.04 * H, 0, 0.04 * H],
  leftThumbDistal: [0.03 * H, 0, 0.03 * H],
  leftIndexProximal: [0.09, 0, 0.03],
  leftIndexIntermediate: [0.04, 0, 0],
  leftIndexDistal: [0.026, 0, 0],
  leftMiddleProximal: [0.095, 0, 0],
  leftMiddleIntermediate: [0.045, 0, 0],
  leftMiddleDistal: [0.026, 0, 0],
  leftRingProximal: [0.09, 0, -0.02],
  leftRingIntermediate: [0.04, 0, 0],
  leftRingDistal: [0.026, 0, 0],
  leftLittleProximal: [0.08, 0, -0.04],
  leftLittleIntermediate: [0.03, 0, 0],
  leftLittleDistal: [0.02, 0, 0],
};

/** Body parts that are scaled independently. */
const PARTS: readonly (readonly [part: string, bones: RegExp])[] = [
  ['trunk', /^(hips|spine|chest|upperChest|neck)$/],
  ['head', /(head|Eye|jaw)$/],
  ['shoulder', /Shoulder$/],
  ['upperArm', /(UpperArm|LowerArm)$/],
  ['hand', /(Hand|Thumb|Index|Middle|Ring|Little)/],
  ['hip', /UpperLeg$/],
  ['leg', /(LowerLeg|Foot)$/],
  ['toes', /Toes$/],
];

/** Returns positions of all 55 bones, 3 floats per bone. Each body part is 0.5 to 2 times its usual size; both sides alike if `symmetric`. */
export function randomTPose(random: Random, symmetric: boolean): Float64Array {
  const sizes = new Map<string, number>();
  const sizeOf = (bone: BoneName): number => {
    const part = PARTS.find(([, bones]) => bones.test(bone))?.[0] ?? 'trunk';
    const side = symmetric || !/^(left|right)/.test(bone) || part === 'shoulder' ? '' : bone.slice(0, 4);
    const key = `${side} ${part}`;
    if (!sizes.has(key)) sizes.set(key, 2 ** between(random, -1, 1));
    return sizes.get(key) as number;
  };
  const positions = new Float64Array(3 * BONE_COUNT);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const name = BONES[bone];
    const isRight = name.startsWith('right');
    const [x, y, z] = OFFSETS[isRight ? BONES[BONE_MIRRORS[bone]] : name];
    const size = sizeOf(name);
    const parent = 3 * BONE_PARENTS[bone];
    positions[3 * bone] = (parent < 0 ? 0 : positions[parent]) + (isRight ? -x : x) * size;
    positions[3 * bone + 1] = (parent < 0 ? 0 : positions[parent + 1]) + y * size;
    positions[3 * bone + 2] = (parent < 0 ? 0 : positions[parent + 2]) + z * size;
  }
  return positions;
}

/** Returns the direction from a leaf bone to its end in the T-pose. */
export function endDirection(bone: BoneName): readonly number[] {
  const outward = bone.startsWith('right') ? -1 : 1;
  if (/Thumb/.test(bone)) return [outward * H, 0, H];
  if (/(Shoulder|Arm|Hand|Index|Middle|Ring|Little)/.test(bone)) return [outward, 0, 0];
  if (/(Foot|Toes|Eye|jaw)$/.test(bone)) return [0, 0, 1];
  return [0, /Leg$/.test(bone) ? -1 : 1, 0];
}
