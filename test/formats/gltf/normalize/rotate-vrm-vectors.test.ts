import { describe, expect, it } from 'vitest';
import { BONE_COUNT } from '../../../../src/core/humanoid/bones.ts';
import { canonicalRotations } from '../../../../src/core/normalize/canonical-rotations.ts';
import type { Issue } from '../../../../src/core/report/issue.ts';
import type { JsonObject } from '../../../../src/formats/gltf/document/json-access.ts';
import type { GltfDocument } from '../../../../src/formats/gltf/index.ts';
import { normalizeDocument } from '../../../../src/formats/gltf/normalize/normalize-document.ts';
import { expectNear } from '../../../support/near.ts';
import { bonesOf, requestFor, tinyCharacter } from './tiny-character.ts';
import { worldMatricesOf } from './world-matrices.ts';

/** World position of a point in the axes of a node. */
function worldPoint(doc: GltfDocument, node: number, [x, y, z]: readonly number[]): number[] {
  const m = worldMatricesOf(doc).get(node) as readonly number[];
  return [0, 1, 2].map((row) => m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row]);
}

/** Gives the named bones new axes. */
function turned(doc: GltfDocument): Issue[] {
  const rotations = new Float64Array(4 * BONE_COUNT);
  for (let bone = 0; bone < BONE_COUNT; bone++) rotations.set([0.5, -0.5, 0.5, 0.5], 4 * bone);
  const issues: Issue[] = [];
  normalizeDocument(doc, requestFor(doc, { axesRotations: canonicalRotations(rotations, bonesOf()) }), issues);
  return issues;
}

describe('rotateVrmVectors', () => {
  it('keeps the world positions of VRM 0.x vectors, whose z is negated', () => {
    const offset = { x: 0.1, y: 0.2, z: -0.3 };
    const make = (): GltfDocument => {
      return tinyCharacter({
        extensions: {
          VRM: {
            secondaryAnimation: { colliderGroups: [{ node: 2, colliders: [{ offset: { ...offset }, radius: 1 }] }] },
            firstPerson: { firstPersonBone: 4, firstPersonBoneOffset: { ...offset } },
            humanoid: {
              humanBones: [
                { bone: 'leftUpperArm', node: 3 },
                { bone: 'hips', node: 1 },
              ],
            },
          },
        },
      });
    };
    const [before, after] = [make(), make()];
    turned(after);
    const vrm = (after.json['extensions'] as Record<string, JsonObject>)['VRM'] as {
      secondaryAnimation: { colliderGroups: { colliders: { offset: typeof offset }[] }[] };
      firstPerson: { firstPersonBoneOffset: typeof offset };
      humanoid: { humanBones: { node: number }[] };
    };
    const places: [number, typeof offset][] = [
      [2, vrm.secondaryAnimation.colliderGroups[0].colliders[0].offset],
      [4, vrm.firstPerson.firstPersonBoneOffset],
    ];
    for (const [node, { x, y, z }] of places) {
      expect([x, y, z]).not.toEqual(Object.values(offset));
      expectNear(worldPoint(after, node, [x, y, -z]), worldPoint(before, node, [0.1, 0.2, 0.3]), 1e-12);
    }
    // The upper arm was wrapped, so its new node is the bone. The hips keep their node.
    expect(vrm.humanoid.humanBones[0].node).toBeGreaterThan(8);
    expect(vrm.humanoid.humanBones[1].node).toBe(1);
  });

  it('keeps the world positions of VRM 1.0 and spring bone vectors, and plane normals', () => {
    const make = (): GltfDocument => {
      return tinyCharacter({
        extensions: {
          VRMC_vrm: { lookAt: { offsetFromHeadBone: [0, 0.1, 0.2] }, humanoid: { humanBones: { head: { node: 4 } } } },
          VRMC_springBone: {
            colliders: [
              { node: 2, shape: { capsule: { offset: [0.1, 0, 0], tail: [0, 0.3, 0.1], radius: 0.1 } } },
              {
                node: 1,
                shape: { sphere: { offset: [0, 0, 1] } },
                extensions: {
                  VRMC_springBone_extended_collider: { shape: { plane: { offset: [0, 1, 0], normal: [1, 0, 0] } } },
                },
              },
            ],
          },
        },
      });
    };
    const [before, after] = [make(), make()];
    turned(after);
    type Extensions = {
      VRMC_vrm: { lookAt: { offsetFromHeadBone: number[] } };
      VRMC_springBone: {
        colliders: {
          shape: Record<string, Record<string, number[]>>;
          extensions: Record<string, { shape: { plane: Record<string, number[]> } }>;
        }[];
      };
    };
    const { VRMC_vrm, VRMC_springBone } = after.json['extensions'] as unknown as Extensions;
    const [capsule, sphere] = VRMC_springBone.colliders;
    const pairs: [number, number[], number[]][] = [
      [4, VRMC_vrm.lookAt.offsetFromHeadBone, [0, 0.1, 0.2]],
      [2, capsule.shape['capsule']['offset'], [0.1, 0, 0]],
      [2, capsule.shape['capsule']['tail'], [0, 0.3, 0.1]],
      [1, sphere.shape['sphere']['offset'], [0, 0, 1]],
      [1, sphere.extensions['VRMC_springBone_extended_collider'].shape.plane['normal'], [1, 0, 0]],
    ];
    for (const [node, is, was] of pairs) expectNear(worldPoint(after, node, is), worldPoint(before, node, was), 1e-12);
  });

  it('reports constraints on bones with new axes', () => {
    const doc = tinyCharacter();
    (doc.json['nodes'] as JsonObject[])[6]['extensions'] = {
      VRMC_node_constraint: { specVersion: '1.0', constraint: { roll: { source: 4, rollAxis: 'X' } } },
    };
    const found = turned(doc).filter(({ code }) => code === 'DEFINE_CONSTRAINT');
    expect(found.map(({ where }) => where.pointer)).toEqual(['/nodes/6']);
  });
});
