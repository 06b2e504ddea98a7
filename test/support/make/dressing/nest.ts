/** Nests the limbs of a humanoid unevenly: joints between bones on one side only, controls where hands and feet are, feet that are parented to the root. */
import { BONE, type BoneName, SIDES } from '../../../../src/core/humanoid/bones.ts';
import * as mat4 from '../../../../src/core/math/mat4.ts';
import { between, makeRandom } from '../../../../src/demo/random.ts';
import { disguised, finish } from './dress.ts';
import {
  appendJoint,
  at,
  type Dressable,
  type GrowingRig,
  growRig,
  insertJoint,
  matrixOf,
  posesOf,
} from './growing-rig.ts';

/** A nested rig, and the joints that a person may click for the end of a limb. */
export interface Nested extends Dressable {
  readonly clicks: ReadonlyMap<BoneName, number>;
}

/** Makes a joint a root without moving it in any pose. */
function makeRoot(rig: GrowingRig, node: number): void {
  for (const pose of posesOf(rig)) {
    const local = new Float64Array(10);
    mat4.decompose(local, 0, matrixOf(rig.parents, pose, node), 0);
    for (let k = 0; k < 10; k++) pose[10 * node + k] = local[k];
  }
  rig.parents[node] = -1;
}

/** Nests a humanoid without a clip. */
export function nest(base: Dressable, seed: number): Nested {
  const random = makeRandom(seed);
  const rig = growRig(base);
  const nodeOf = (bone: string): number => rig.right[BONE[bone as BoneName]][0];
  const clicked = new Map<BoneName, number>();
  // Of a free foot without toes and the end of its leg, nothing tells which one is the foot.
  const isFree = random() < 0.25 && nodeOf('leftToes') >= 0;
  const hasControls = random() < 0.5;
  for (const side of SIDES) {
    for (const part of ['UpperArm', 'LowerArm', 'Hand', 'UpperLeg', 'LowerLeg', 'Foot']) {
      if (random() < 0.3) insertJoint(rig, nodeOf(side + part), between(random, 0.15, 0.85));
    }
    for (const part of ['Hand', 'Foot']) {
      const node = nodeOf(side + part);
      if (random() < 0.3) appendJoint(rig, node, at(rig, node));
      if (isFree && part === 'Foot') {
        appendJoint(rig, rig.parents[node], at(rig, node), random() < 0.5);
        makeRoot(rig, node);
      } else if (hasControls) {
        const control = appendJoint(rig, 0, at(rig, node));
        if (random() < 0.5) clicked.set(`${side}${part}` as BoneName, control);
      }
    }
  }
  // The clicks go through the changes of the node order as one more list of joints.
  const listed = { ...rig, right: [...rig.right, ...Array.from(clicked.values(), (node) => [node])] };
  const done = disguised(random, finish(listed, base.name));
  const count = rig.right.length;
  return {
    ...done,
    right: done.right.slice(0, count),
    clicks: new Map(Array.from(clicked.keys(), (bone, k) => [bone, done.right[count + k][0]])),
  };
}
