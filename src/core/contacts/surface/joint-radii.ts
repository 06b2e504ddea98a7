/** Estimates the radius map of a character without a mesh. */
import { BONE_COUNT, BONE_PARENTS, BONES } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import * as vec3 from '../../math/vec3.ts';
import { boneAxes } from './bone-axes.ts';
import { JOINT_RADII } from './joint-points.ts';
import { COLUMNS, completeRadii, type RadiusMap, ROWS } from './radius-map.ts';

/** Length of a bone without a bone below it, relative to its radius: that of a head. */
const END_LENGTH = 1.6;

/** Estimates the distances of the skin from the axes of the bones: capsules with the radii of an adult. */
export function estimateRadii({ map, reference, hipsHeight }: Humanoid): RadiusMap {
  const { positions } = reference;
  const offset = new Float64Array(3);
  return Array.from({ length: BONE_COUNT }, (_, bone) => {
    const [axes, relative] = [boneAxes(bone), JOINT_RADII[BONES[bone]]];
    if (axes === null || relative === undefined || map.nodes[bone] < 0) return null;
    const radius = relative * hipsHeight;
    let length = 0;
    for (let child = bone + 1; child < BONE_COUNT; child++) {
      if (BONE_PARENTS[child] !== bone || map.nodes[child] < 0) continue;
      vec3.subtract(offset, 0, positions, 3 * child, positions, 3 * bone);
      length = Math.max(length, vec3.dot(offset, 0, axes, 0));
    }
    const isEnd = length === 0;
    return completeRadii({
      bone,
      center: new Float64Array(3),
      axes,
      from: isEnd ? radius : 0,
      to: isEnd ? END_LENGTH * radius : length,
      radii: new Float64Array(ROWS * COLUMNS).fill(radius),
    });
  });
}
