import { describe, expect, it } from 'vitest';
import { BONE, BONE_COUNT } from '../../../../src/core/humanoid/bones.ts';
import { canonicalRotations } from '../../../../src/core/normalize/canonical-rotations.ts';
import type { Issue } from '../../../../src/core/report/issue.ts';
import { makeRandom, randomRotation } from '../../../../src/demo/random.ts';
import { readFloats } from '../../../../src/formats/gltf/accessors/accessor.ts';
import type { JsonObject } from '../../../../src/formats/gltf/document/json-access.ts';
import type { GltfDocument } from '../../../../src/formats/gltf/index.ts';
import { parseGltf } from '../../../../src/formats/gltf/index.ts';
import { normalizeDocument } from '../../../../src/formats/gltf/normalize/normalize-document.ts';
import { law } from '../../../laws/law.ts';
import { expectNear } from '../../../support/near.ts';
import { SECOND_OPINION } from '../../../support/tolerances.ts';
import { glbBytes } from '../open.ts';
import { newCodes } from '../validator.ts';
import { bonesOf, NODES, requestFor, tinyCharacter } from './tiny-character.ts';
import { type Matrix, worldMatricesOf } from './world-matrices.ts';

type Animation = { channels: { sampler: number; target: JsonObject }[]; samplers: JsonObject[] };

/** Random axes rotation per bone, from a seed. */
function randomTurns(seed: number): Float64Array {
  const random = makeRandom(seed);
  const worlds = Float64Array.from(Array.from({ length: BONE_COUNT }, () => [...randomRotation(random)]).flat());
  return canonicalRotations(worlds, bonesOf());
}

function list(doc: GltfDocument, key: string): JsonObject[] {
  return doc.json[key] as JsonObject[];
}

function multiplied(a: Matrix, b: Matrix): number[] {
  return [0, 1, 2, 3].flatMap((column) =>
    [0, 1, 2, 3].map((row) => [0, 1, 2, 3].reduce((sum, k) => sum + a[4 * k + row] * b[4 * column + k], 0)),
  );
}

/** Skinning matrix of every joint. */
function skinning(doc: GltfDocument, worlds: ReadonlyMap<number, Matrix>, skin = 0): number[][] {
  const { joints, inverseBindMatrices } = list(doc, 'skins')[skin] as { joints: number[]; inverseBindMatrices: number };
  const matrices = inverseBindMatrices === undefined ? null : readFloats(doc, inverseBindMatrices);
  return joints.map((joint, j) => {
    const world = worlds.get(joint) as Matrix;
    return matrices === null ? [...world] : multiplied(world, Array.from(matrices.subarray(16 * j, 16 * j + 16)));
  });
}

/** Largest difference of skinning matrices and of world transforms of non-bone nodes, at rest and at both keys. */
function looksError(before: GltfDocument, after: GltfDocument, things: readonly number[]): number {
  let worst = 0;
  for (const [animation, key] of [
    [-1, 0],
    [0, 0],
    [0, 1],
  ]) {
    const a = worldMatricesOf(before, animation, key);
    const b = worldMatricesOf(after, animation, key);
    const pairs: [Matrix, Matrix][] = things.map((node) => [a.get(node) as Matrix, b.get(node) as Matrix]);
    const joints = skinning(after, b);
    for (const [j, matrix] of skinning(before, a).entries()) pairs.push([matrix, joints[j]]);
    for (const [p, q] of pairs) worst = Math.max(worst, ...p.map((x, c) => Math.abs(x - q[c])));
  }
  return worst;
}

describe('normalizeDocument: bones with new axes', () => {
  law(
    'mesh, props and cameras do not move, at rest and in clips',
    SECOND_OPINION,
    (random) => {
      const before = tinyCharacter();
      const after = tinyCharacter();
      const axesRotations = randomTurns(Math.floor(random() * 1e9));
      normalizeDocument(after, requestFor(after, { axesRotations }), []);
      // The hand carries a prop, the head a camera, and the helper is not a bone: all keep their transforms.
      return looksError(before, after, [0, 5, 6, 7, 8]);
    },
    60,
  );

  const doc = tinyCharacter();
  const issues: Issue[] = [];
  const result = normalizeDocument(doc, requestFor(doc, { axesRotations: randomTurns(1) }), issues);

  it('bones with a non-uniform scale, a mesh or a camera get a new node', () => {
    expect([...result.wrapped].sort()).toEqual(['head', 'leftHand', 'leftUpperArm']);
    expect(issues.map(({ code }) => code)).toEqual([
      'DEFINE_BONE_WRAPPED',
      'DEFINE_BONE_WRAPPED',
      'DEFINE_BONE_WRAPPED',
    ]);
    const { bones } = result.definition;
    for (const [bone, old] of [['leftUpperArm', 3] as const, ['leftHand', 5] as const, ['head', 8] as const]) {
      const node = list(doc, 'nodes')[bones[bone] as number];
      expect([node['name'], node['children']]).toEqual([bone, [old]]);
      expect(node['scale']).toBeUndefined();
    }
    expect(bones).toMatchObject({ hips: 1, spine: 2, leftLowerArm: 4 });
    expect(list(doc, 'nodes')[3]['scale']).toEqual([1, 1.5, 0.5]);
  });

  it('bones outside of all skins become joints of a new skin', () => {
    expect([...result.newJoints].sort()).toEqual(['head', 'leftHand', 'leftUpperArm']);
    expect(list(doc, 'skins')[0]['joints']).toEqual([1, 2, 3, 4]);
    expect(list(doc, 'skins')[1]['joints']).toHaveLength(3);
    expect(list(doc, 'skins')).toHaveLength(2);
  });

  it('samplers with other users are copied, and old data keeps its index', () => {
    const { channels, samplers } = list(doc, 'animations')[0] as unknown as Animation;
    const before = tinyCharacter();
    const old = list(before, 'animations')[0] as unknown as Animation;
    // The mesh node uses the sampler of two bones and keeps it.
    expect(channels[2]).toEqual(old.channels[2]);
    expect(samplers.slice(0, 1)).toEqual(old.samplers.slice(0, 1));
    expect(new Set(channels.map(({ sampler }) => sampler)).size).toBe(5);
    expect(list(doc, 'accessors').slice(0, list(before, 'accessors').length)).toEqual(list(before, 'accessors'));
    const bin = doc.source?.glb?.bin as Uint8Array;
    expect(parseGltf(glbBytes(doc)).bin?.subarray(0, bin.length)).toEqual(bin);
  });

  it('a child node with a matrix keeps a matrix', () => {
    expect(list(doc, 'nodes')[6]['matrix']).toHaveLength(16);
  });

  it('the output has no new validator errors', async () => {
    expect(
      (await newCodes(glbBytes(tinyCharacter()), glbBytes(doc))).filter((code) => code !== 'UNUSED_OBJECT'),
    ).toEqual([]);
  });

  it('channels of KHR_animation_pointer are rewritten', () => {
    const channel = {
      sampler: 0,
      target: { path: 'pointer', extensions: { KHR_animation_pointer: { pointer: '/nodes/4/rotation' } } },
    };
    const make = (): GltfDocument => {
      const made = tinyCharacter();
      (list(made, 'animations')[0] as unknown as { channels: unknown[] }).channels[1] = structuredClone(channel);
      return made;
    };
    const after = make();
    normalizeDocument(after, requestFor(after, { axesRotations: randomTurns(2) }), []);
    const { channels, samplers } = list(after, 'animations')[0] as unknown as Animation;
    expect(channels[1].target).toEqual(channel.target);
    const plain = tinyCharacter();
    normalizeDocument(plain, requestFor(plain, { axesRotations: randomTurns(2) }), []);
    const other = list(plain, 'animations')[0] as unknown as Animation;
    const output = (of: Animation, doc: GltfDocument): number[] => {
      return Array.from(readFloats(doc, of.samplers[of.channels[1].sampler]['output'] as number));
    };
    expect(output({ channels, samplers }, after)).toEqual(output(other, plain));
  });

  it('skins without inverse bind matrices, or with too few, get complete ones', () => {
    for (const inverseBindMatrices of [undefined, 7]) {
      const skins = [
        { joints: [1, 2, 3, 4, 5], ...(inverseBindMatrices === undefined ? {} : { inverseBindMatrices }) },
      ];
      const before = tinyCharacter({ skins: structuredClone(skins) });
      const after = tinyCharacter({ skins: structuredClone(skins) });
      normalizeDocument(after, requestFor(after, { axesRotations: randomTurns(3) }), []);
      const accessor = list(after, 'skins')[0]['inverseBindMatrices'] as number;
      expect(list(after, 'accessors')[accessor]['count']).toBe(5);
      const bound = skinning(after, worldMatricesOf(after));
      const worlds = worldMatricesOf(before);
      // Missing matrices are the identity: such a joint deforms the mesh by its own world matrix.
      for (const [j, joint] of [1, 2, 3, 4, 5].entries())
        expectNear(bound[j], worlds.get(joint) as Matrix, SECOND_OPINION);
    }
  });
});

describe('normalizeDocument: definition only', () => {
  it('changes only the extension where all bones are joints', () => {
    const doc = tinyCharacter({ skins: [{ joints: [1, 2, 3, 4, 5, 8] }] });
    const before = structuredClone(doc.json);
    const result = normalizeDocument(doc, requestFor(doc), []);
    expect(result).toMatchObject({ index: 0, wrapped: [], newJoints: [], hasNewRoot: false, meshes: 0 });
    expect(doc.json['extensionsUsed']).toEqual(['EXT_skeleton_humanoid']);
    expect({ ...doc.json, extensions: undefined, extensionsUsed: undefined }).toEqual({
      ...before,
      extensions: undefined,
      extensionsUsed: undefined,
    });
    expect(result.definition.rootNode).toBe(0);
  });

  it('replaces a definition of the same bones and keeps others', () => {
    const doc = tinyCharacter();
    normalizeDocument(doc, requestFor(doc), []);
    expect(normalizeDocument(doc, requestFor(doc), []).index).toBe(0);
    const { humanoidSkeletons } = (doc.json['extensions'] as Record<string, { humanoidSkeletons: unknown[] }>)[
      'EXT_skeleton_humanoid'
    ];
    expect(humanoidSkeletons).toHaveLength(1);
    const other = new Int32Array(BONE_COUNT).fill(-1);
    other[BONE.hips] = 6;
    expect(normalizeDocument(doc, { ...requestFor(doc), bones: other }, []).index).toBe(1);
  });

  it('adds a root node where the bones are in several trees', () => {
    const nodes = structuredClone(NODES) as JsonObject[];
    nodes[2]['children'] = [6];
    const doc = tinyCharacter({ nodes, scenes: [{ nodes: [0, 8] }] });
    const before = worldMatricesOf(doc);
    const result = normalizeDocument(doc, requestFor(doc), []);
    expect(result).toMatchObject({ hasNewRoot: true, definition: { rootNode: 9 } });
    expect(list(doc, 'nodes')[9]['children']).toEqual([0, 8]);
    expect(doc.json['scenes']).toEqual([{ nodes: [9] }]);
    for (const [node, matrix] of worldMatricesOf(doc))
      if (node < 9) expectNear(matrix, before.get(node) as Matrix, 1e-12);
  });
});
