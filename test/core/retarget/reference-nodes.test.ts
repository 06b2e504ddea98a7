import { describe, test } from 'vitest';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { bonesOfNodes } from '../../../src/core/humanoid/node-bones.ts';
import { referenceParentRotation, restMatrix, restRotation } from '../../../src/core/retarget/reference-nodes.ts';
import { tinyHumanoid } from '../../make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../near.ts';
import { aboutAxis, product } from '../../reference/plain.ts';
import { EXACT } from '../../tolerances.ts';

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
const body = { ...plain, frame: Float64Array.from(FRAME) };

const bones = bonesOfNodes(body.map.nodes, body.skeleton.names.length);

describe('restRotation', () => {
  test('is the product of the rest rotations down to a node, in the canonical frame', () => {
    const out = new Float64Array(4);
    restRotation(out, body, 2);
    expectSameRotation(out, product(FRAME, X, Y, Z), EXACT);
    restRotation(out, body, -1);
    expectSameRotation(out, FRAME, EXACT);
  });
});

describe('referenceParentRotation', () => {
  test('is the reference rotation of the bone above, then the rest of the nodes between', () => {
    const reference = aboutAxis([1, 2, 3], 2);
    const rotations = Float64Array.from(body.reference.rotations);
    rotations.set(reference, 4 * BONE.hips);
    const posed = { ...body, reference: { ...body.reference, rotations } };
    const out = new Float64Array(4);
    referenceParentRotation(out, posed, bones, 3);
    expectSameRotation(out, product(reference, Z), EXACT);
  });

  test('is the rest rotation of the parent where no bone is above', () => {
    const out = new Float64Array(4);
    referenceParentRotation(out, body, bones, 1);
    expectSameRotation(out, product(FRAME, X), EXACT);
  });
});

describe('restMatrix', () => {
  test('is the model matrix of a node at rest, and the identity above the roots', () => {
    const out = new Float64Array(16);
    restMatrix(out, body, 1);
    // The armature puts the hips at its own place and two meters along its y axis.
    expectNear(out.subarray(12), [1, 2 * Math.cos(0.5), 2 * Math.sin(0.5), 1], EXACT);
    restMatrix(out, body, -1);
    expectNear(out, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], EXACT);
  });
});
