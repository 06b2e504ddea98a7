/** The axes around which the radii of bones are measured, in the T-pose. */
import { BONE, BONES, isFingerBone } from '../../humanoid/bones.ts';

/** Cosine of 45°: thumbs point to the front and to the side. */
const DIAGONAL = Math.SQRT1_2;

/**
 * Returns the axis of a bone in the T-pose and two directions perpendicular to it. Those of a left bone and its right counterpart mirror each other.
 * Returns three unit vectors, canonical frame, 9 floats; null for bones without radii: shoulders, feet, and the parts of the face.
 */
export function boneAxes(bone: number): Float64Array | null {
  const name = BONES[bone];
  const side = name.startsWith('left') ? 1 : -1;
  if (/^(?:hips|spine|chest|upperChest|neck|head)$/.test(name)) return Float64Array.of(0, 1, 0, 1, 0, 0, 0, 0, 1);
  if (/Leg$/.test(name)) return Float64Array.of(0, -1, 0, 1, 0, 0, 0, 0, 1);
  if (/Thumb/.test(name)) return Float64Array.of(side * DIAGONAL, 0, DIAGONAL, 0, 1, 0, -side * DIAGONAL, 0, DIAGONAL);
  if (/(?:Arm|Hand)$/.test(name) || isFingerBone(name)) return Float64Array.of(side, 0, 0, 0, 0, 1, 0, 1, 0);
  return null;
}

const RADII_BONES = BONES.map((name, bone) => (/Eye|jaw/.test(name) ? BONE.head : bone));

/** Returns the bone whose radii include the surface of a bone: parts of the face belong to the head. */
export const radiiBone = (bone: number): number => RADII_BONES[bone] ?? -1;
