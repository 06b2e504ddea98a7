/** Estimates the surface of a character without a mesh from its joints. */

import type { SkinPoints } from '../../deform/skin-points.ts';
import { BONE, BONES, type BoneName, SIDES } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import * as mat4 from '../../math/mat4.ts';
import { MATRIX_STRIDE } from '../../skeleton/skeleton.ts';

/** Radius of the surface around the joints of an adult, relative to the height of the hips. */
export const JOINT_RADII: Readonly<Partial<Record<BoneName, number>>> = {
  hips: 0.1,
  spine: 0.11,
  chest: 0.12,
  upperChest: 0.12,
  neck: 0.06,
  head: 0.09,
  ...Object.fromEntries(
    SIDES.flatMap((side) => [
      [`${side}UpperLeg`, 0.085],
      [`${side}LowerLeg`, 0.055],
      [`${side}UpperArm`, 0.055],
      [`${side}LowerArm`, 0.04],
      [`${side}Hand`, 0.03],
    ]),
  ),
};
/** Length of the toes beyond the toe joint, relative to the distance from ankle to toe joint on the ground. */
const TOE_TIP = 0.4;
/** Length of a foot without toes from the ankle to its tip, relative to the height of the hips. */
const FOOT_LENGTH = 0.19;
/** Half of the width of a foot, relative to the height of the hips. */
const HALF_WIDTH = 0.04;

/**
 * Makes points for a character without a mesh: spheres around the joints of trunk and arms, and a flat sole on the ground below each foot.
 *
 * @param matrices Its nodes in the reference pose, canonical frame, meters: 16 floats per node.
 */
export function jointPoints({ map, reference, ground, hipsHeight }: Humanoid, matrices: Float64Array): SkinPoints {
  const nodes: number[] = [];
  const offsets: number[] = [];
  const radii: number[] = [];
  const inverse = new Float64Array(MATRIX_STRIDE);
  const local = new Float64Array(3);
  const add = (node: number, x: number, y: number, z: number, radius: number): void => {
    if (!mat4.invertAffine(inverse, 0, matrices, MATRIX_STRIDE * node)) return;
    mat4.transformPoint(local, 0, inverse, 0, [x, y, z], 0);
    nodes.push(node);
    offsets.push(local[0], local[1], local[2], 1);
    radii.push(radius);
  };
  const { positions } = reference;
  for (const [bone, name] of BONES.entries()) {
    const radius = JOINT_RADII[name];
    if (radius === undefined || map.nodes[bone] < 0) continue;
    add(map.nodes[bone], positions[3 * bone], positions[3 * bone + 1], positions[3 * bone + 2], radius * hipsHeight);
  }
  for (const side of SIDES) {
    const foot = BONE[`${side}Foot`];
    if (map.nodes[foot] < 0) continue;
    const toes = BONE[`${side}Toes`];
    const hasToes = map.nodes[toes] >= 0;
    const [x, , z] = positions.subarray(3 * foot, 3 * foot + 3);
    const length = hasToes
      ? Math.hypot(positions[3 * toes] - x, positions[3 * toes + 2] - z)
      : (FOOT_LENGTH * hipsHeight) / (1 + TOE_TIP);
    const dx = hasToes && length > 0 ? (positions[3 * toes] - x) / length : 0;
    const dz = hasToes && length > 0 ? (positions[3 * toes + 2] - z) / length : 1;
    const low = Math.min(ground, positions[3 * foot + 1], hasToes ? positions[3 * toes + 1] : Number.POSITIVE_INFINITY);
    const width = HALF_WIDTH * hipsHeight;
    const front = hasToes ? map.nodes[toes] : map.nodes[foot];
    for (const edge of [-width, width]) {
      const at = (along: number): [number, number, number] => [
        x + along * dx + edge * dz,
        low,
        z + along * dz - edge * dx,
      ];
      add(map.nodes[foot], ...at(-0.25 * length), 0);
      add(map.nodes[foot], ...at(length), 0);
      add(front, ...at(length), 0);
      add(front, ...at((1 + TOE_TIP) * length), 0);
    }
  }
  return {
    starts: Int32Array.from({ length: nodes.length + 1 }, (_, k) => k),
    nodes: Int32Array.from(nodes),
    offsets: Float64Array.from(offsets),
    rigid: new Uint8Array(nodes.length),
    radii: Float64Array.from(radii),
    triangles: new Int32Array(0),
  };
}
