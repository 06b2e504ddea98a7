/** The reference pose of all nodes of a humanoid, bones or not. */
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { restPose } from '../../skeleton/pose.ts';
import type { Humanoid } from '../humanoid.ts';
import { bonesOfNodes } from '../node-bones.ts';
import { modelPose } from './model-pose.ts';

/** World rotation (xyzw) and position (xyz) per node, canonical frame, meters. */
export interface NodeReference {
  readonly rotations: Float64Array;
  readonly positions: Float64Array;
}

/**
 * Where all nodes are in the reference pose. Only bones have a place in it: a node between or below bones stands to the bone above it
 * as in the pose that the reference was taken from, one above all bones as there.
 */
export function referenceOfNodes({ skeleton, map, reference, shape, frame, metersPerUnit }: Humanoid): NodeReference {
  const { parents } = skeleton;
  const count = parents.length;
  const taken = modelPose('', parents, shape ?? restPose(skeleton));
  const bones = bonesOfNodes(map.nodes, count);
  // By what each node is turned out of the pose that the reference was taken from, file to canonical frame.
  const turns = new Float64Array(4 * count);
  const rotations = new Float64Array(4 * count);
  const positions = new Float64Array(3 * count);
  const inverse = new Float64Array(4);
  const offset = new Float64Array(3);
  for (let node = 0; node < count; node++) {
    const parent = parents[node];
    const bone = bones[node];
    if (bone >= 0) {
      quat.conjugate(inverse, 0, taken.rotations, 4 * node);
      quat.multiply(turns, 4 * node, reference.rotations, 4 * bone, inverse, 0);
      quat.copy(rotations, 4 * node, reference.rotations, 4 * bone);
      vec3.copy(positions, 3 * node, reference.positions, 3 * bone);
      continue;
    }
    if (parent < 0) {
      quat.copy(turns, 4 * node, frame, 0);
      vec3.copy(offset, 0, taken.positions, 3 * node);
    } else {
      quat.copy(turns, 4 * node, turns, 4 * parent);
      vec3.subtract(offset, 0, taken.positions, 3 * node, taken.positions, 3 * parent);
    }
    quat.multiply(rotations, 4 * node, turns, 4 * node, taken.rotations, 4 * node);
    quat.normalize(rotations, 4 * node, rotations, 4 * node);
    vec3.rotate(offset, 0, turns, 4 * node, offset, 0);
    vec3.scale(offset, 0, offset, 0, metersPerUnit);
    if (parent < 0) vec3.copy(positions, 3 * node, offset, 0);
    else vec3.add(positions, 3 * node, positions, 3 * parent, offset, 0);
  }
  return { rotations, positions };
}
