import type { SkinPoints } from '../../deform/skin-points.ts';
import { BONE, BONE_COUNT, BONE_PARENTS, BONES, type BoneName, SIDES } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import * as mat4 from '../../math/mat4.ts';
import * as vec3 from '../../math/vec3.ts';
import { MATRIX_STRIDE } from '../../skeleton/skeleton.ts';
import { boneAxes } from './bone-axes.ts';
import { COLUMNS, completeRadii, type RadiusMap, ROWS } from './radius-map.ts';

/** Radius of the surface around the joints of an adult, relative to the height of the hips. */
const JOINT_RADII: Readonly<Partial<Record<BoneName, number>>> = {
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
/** Distance from the wrist to the tip of the fingers, and half of their thickness, relative to the height of the hips: those of an adult. */
const HAND_LENGTH = 0.2;
const HALF_FINGER = 0.01;
/** Length of the toes beyond the toe joint, relative to the distance from ankle to toe joint on the ground. */
const TOE_TIP = 0.4;
/** Length of a foot without toes from the ankle to its tip, relative to the height of the hips. */
const FOOT_LENGTH = 0.19;
/** Half of the width of a foot, relative to the height of the hips. */
const HALF_WIDTH = 0.04;

/** Least horizontal length of a joint below a foot without toes that shows where it points, relative to the height of the hips. */
const SHOWN = 0.05;

/** Finds where a foot without toes points in the reference pose: to the joint below it that is furthest from it, else to the front; x and z, unit. */
function footDirection(
  { skeleton: { parents }, hipsHeight }: Humanoid,
  foot: number,
  matrices: Float64Array,
): readonly [number, number] {
  const at = (node: number, c: number): number => matrices[MATRIX_STRIDE * node + 12 + c];
  const isBelow = new Uint8Array(parents.length);
  isBelow[foot] = 1;
  let [x, z, furthest] = [0, 1, SHOWN * hipsHeight];
  for (let node = foot + 1; node < parents.length; node++) {
    if (parents[node] < 0 || isBelow[parents[node]] === 0) continue;
    isBelow[node] = 1;
    const [dx, dz] = [at(node, 0) - at(foot, 0), at(node, 2) - at(foot, 2)];
    const distance = Math.hypot(dx, dz);
    if (distance > furthest) [x, z, furthest] = [dx / distance, dz / distance, distance];
  }
  return [x, z];
}

/**
 * Makes points for a character without a mesh: spheres around the joints of trunk and arms, and a flat sole on the ground below each foot.
 * `matrices`: its nodes in the reference pose, canonical frame, meters: 16 floats per node.
 */
export function jointPoints(humanoid: Humanoid, matrices: Float64Array): SkinPoints {
  const { map, reference, ground, hipsHeight } = humanoid;
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
  for (const [k, side] of SIDES.entries()) {
    const hand = BONE[`${side}Hand`];
    if (map.nodes[hand] >= 0) {
      const [x, y, z] = positions.subarray(3 * hand, 3 * hand + 3);
      add(map.nodes[hand], x + (1 - 2 * k) * HAND_LENGTH * hipsHeight, y, z, HALF_FINGER * hipsHeight);
    }
    const foot = BONE[`${side}Foot`];
    if (map.nodes[foot] < 0) continue;
    const toes = BONE[`${side}Toes`];
    const hasToes = map.nodes[toes] >= 0;
    const [x, , z] = positions.subarray(3 * foot, 3 * foot + 3);
    const length = hasToes
      ? Math.hypot(positions[3 * toes] - x, positions[3 * toes + 2] - z)
      : (FOOT_LENGTH * hipsHeight) / (1 + TOE_TIP);
    const [dx, dz] =
      hasToes && length > 0
        ? [(positions[3 * toes] - x) / length, (positions[3 * toes + 2] - z) / length]
        : footDirection(humanoid, map.nodes[foot], matrices);
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

/** Length of a bone without a bone below it, relative to its radius: that of a head. */
const END_LENGTH = 1.6;

/** Estimates the distances of the skin from the axes of the bones: capsules with the radii of an adult. */
export function estimateRadii({ map, reference, hipsHeight }: Humanoid): RadiusMap {
  const { positions } = reference;
  const offset = new Float64Array(3);
  const found: RadiusMap[number][] = new Array(BONE_COUNT).fill(null);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const [axes, relative] = [boneAxes(bone), JOINT_RADII[BONES[bone]]];
    if (axes === null || relative === undefined || map.nodes[bone] < 0) continue;
    const radius = relative * hipsHeight;
    let length = 0;
    for (let child = bone + 1; child < BONE_COUNT; child++) {
      if (BONE_PARENTS[child] !== bone || map.nodes[child] < 0) continue;
      vec3.subtract(offset, 0, positions, 3 * child, positions, 3 * bone);
      length = Math.max(length, vec3.dot(offset, 0, axes, 0));
    }
    const isEnd = length === 0;
    found[bone] = completeRadii({
      bone,
      center: new Float64Array(3),
      axes,
      from: isEnd ? radius : 0,
      to: isEnd ? END_LENGTH * radius : length,
      radii: new Float64Array(ROWS * COLUMNS).fill(radius),
    });
  }
  return found;
}
