import { describe, test } from 'vitest';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { mapNodesToBones } from '../../../src/core/humanoid/node-bones.ts';
import { referenceParentRotation, restMatrix, restRotation } from '../../../src/core/retarget/node-transforms.ts';
import { tinyHumanoid } from '../../support/make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../support/near.ts';
import { aboutAxis, product } from '../../support/reference/plain.ts';
import { EXACT } from '../../support/tolerances.ts';

const X = aboutAxis([1, 0, 0], 0.5);
const Y = aboutAxis([0, 1, 0], 0.7);
const Z = aboutAxis([0, 0, 1], 0.9);
const FRAME = aboutAxis([0, 1, 0], 1.1);

const plain = tinyHumanoid(
  { name: 'armature', at: [1, 0, 0], turn: X, scale: [2, 2, 2] },
  { name: 'hips', parent: 'armature', at: [0, 1, 0], turn: Y },
  { name: 'twist', parent: 'hips', turn: Z },
  { name: 'spine', parent: 'twist', turn: X },
);
const humanoid = { ...plain, frame: Float64Array.from(FRAME) };

const bones = mapNodesToBones(humanoid.map.nodes, humanoid.skeleton.names.length);

describe('restRotation', () => {
  test('multiplies the rest rotations down to a node, in the canonical frame', () => {
    const out = new Float64Array(4);
    restRotation(out, humanoid, 2);
    expectSameRotation(out, product(FRAME, X, Y, Z), EXACT);
    restRotation(out, humanoid, -1);
    expectSameRotation(out, FRAME, EXACT);
  });
});

describe('referenceParentRotation', () => {
  test('multiplies the reference rotation of the bone above by the rest rotations of the nodes between', () => {
    const reference = aboutAxis([1, 2, 3], 2);
    const rotations = Float64Array.from(humanoid.reference.rotations);
    rotations.set(reference, 4 * BONE.hips);
    const posed = { ...humanoid, reference: { ...humanoid.reference, rotations } };
    const out = new Float64Array(4);
    referenceParentRotation(out, posed, bones, 3);
    expectSameRotation(out, product(reference, Z), EXACT);
  });

  test('returns the rest rotation of the parent without a bone above', () => {
    const out = new Float64Array(4);
    referenceParentRotation(out, humanoid, bones, 1);
    expectSameRotation(out, product(FRAME, X), EXACT);
  });
});

describe('restMatrix', () => {
  test('returns the model matrix of a node at rest, and the identity for −1', () => {
    const out = new Float64Array(16);
    restMatrix(out, humanoid, 1);
    // The hips are at the position of the armature plus two meters along its y axis.
    expectNear(out.subarray(12), [1, 2 * Math.cos(0.5), 2 * Math.sin(0.5), 1], EXACT);
    restMatrix(out, humanoid, -1);
    expectNear(out, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], EXACT);
  });
});
