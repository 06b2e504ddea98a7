import { describe, expect, it } from 'vitest';
import { canonicalTurns } from '../../../../src/core/conform/canonical-turns.ts';
import { BONE, BONE_COUNT } from '../../../../src/core/humanoid/bones.ts';
import type { Issue } from '../../../../src/core/report/issue.ts';
import { makeRandom, randomRotation } from '../../../../src/demo/random.ts';
import { conformDocument } from '../../../../src/formats/gltf/conform/conform-document.ts';
import type { GltfDocument, JsonObject } from '../../../../src/formats/gltf/index.ts';
import { parseGltf, readFloats } from '../../../../src/formats/gltf/index.ts';
import { law } from '../../../laws/law.ts';
import { expectNear } from '../../../near.ts';
import { SECOND_OPINION } from '../../../tolerances.ts';
import { glbBytes } from '../open.ts';
import { newCodes } from '../validator.ts';
import { bonesOf, NODES, requestFor, tinyCharacter } from './tiny-character.ts';
import { type Matrix, worldMatricesOf } from './world-matrices.ts';

type Animation = { channels: { sampler: number; target: JsonObject }[]; samplers: JsonObject[] };

/** Turns of every bone, from a seed. */
function randomTurns(seed: number): Float64Array {
  const random = makeRandom(seed);
  const worlds = Float64Array.from(Array.from({ length: BONE_COUNT }, () => [...randomRotation(random)]).flat());
  return canonicalTurns(worlds, bonesOf());
}

function list(doc: GltfDocument, key: string): JsonObject[] {
  return doc.json[key] as JsonObject[];
}

function multiplied(a: Matrix, b: Matrix): number[] {
  return [0, 1, 2, 3].flatMap((column) =>
    [0, 1, 2, 3].map((row) => [0, 1, 2, 3].reduce((sum, k) => sum + a[4 * k + row] * b[4 * column + k], 0)),
  );
}

/** What every joint of the skin does to its mesh. */
function skinning(doc: GltfDocument, worlds: ReadonlyMap<number, Matrix>, skin = 0): number[][] {
  const { joints, inverseBindMatrices } = list(doc, 'skins')[skin] as { joints: number[]; inverseBindMatrices: number };
  const matrices = inverseBindMatrices === undefined ? null : readFloats(doc, inverseBindMatrices);
  return joints.map((joint, j) => {
    const world = worlds.get(joint) as Matrix;
    return matrices === null ? [...world] : multiplied(world, Array.from(matrices.subarray(16 * j, 16 * j + 16)));
  });
}

/** Largest difference of what joints do to the mesh, and of where things stand that are no bones, at rest and at both keys. */
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

describe('bones with other axes', () => {
  law(
    'move the mesh, the props and the cameras as before, at rest and in clips',
    SECOND_OPINION,
    (random) => {
      const before = tinyCharacter();
      const after = tinyCharacter();
      const turns = randomTurns(Math.floor(random() * 1e9));
      conformDocument(after, requestFor(after, { turns }), []);
      // The hand carries a prop, the head a camera, the helper is no bone: they stay.
      return looksError(before, after, [0, 5, 6, 7, 8]);
    },
    60,
  );

  const doc = tinyCharacter();
  const issues: Issue[] = [];
  const result = conformDocument(doc, requestFor(doc, { turns: randomTurns(1) }), issues);

  it('get a new node where they are scaled unevenly or carry something', () => {
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

  it('are all joints: those that were in no skin get one that deforms nothing', () => {
    expect([...result.newJoints].sort()).toEqual(['head', 'leftHand', 'leftUpperArm']);
    expect(list(doc, 'skins')[0]['joints']).toEqual([1, 2, 3, 4]);
    expect(list(doc, 'skins')[1]['joints']).toHaveLength(3);
    expect(list(doc, 'skins')).toHaveLength(2);
  });

  it('have samplers of their own where others use theirs, and leave old data where it was', () => {
    const { channels, samplers } = list(doc, 'animations')[0] as unknown as Animation;
    const before = tinyCharacter();
    const old = list(before, 'animations')[0] as unknown as Animation;
    // The mesh node turned by the same sampler as two bones: it keeps it.
    expect(channels[2]).toEqual(old.channels[2]);
    expect(samplers.slice(0, 1)).toEqual(old.samplers.slice(0, 1));
    expect(new Set(channels.map(({ sampler }) => sampler)).size).toBe(5);
    expect(list(doc, 'accessors').slice(0, list(before, 'accessors').length)).toEqual(list(before, 'accessors'));
    const bin = doc.source?.glb?.bin as Uint8Array;
    expect(parseGltf(glbBytes(doc)).bin?.subarray(0, bin.length)).toEqual(bin);
  });

  it('keep a matrix where a node has one and only hangs below such a bone', () => {
    expect(list(doc, 'nodes')[6]['matrix']).toHaveLength(16);
  });

  it('make a file without errors that the first had not', async () => {
    expect(
      (await newCodes(glbBytes(tinyCharacter()), glbBytes(doc))).filter((code) => code !== 'UNUSED_OBJECT'),
    ).toEqual([]);
  });

  it('turn about channels that name their node by a pointer', () => {
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
    conformDocument(after, requestFor(after, { turns: randomTurns(2) }), []);
    const { channels, samplers } = list(after, 'animations')[0] as unknown as Animation;
    expect(channels[1].target).toEqual(channel.target);
    const plain = tinyCharacter();
    conformDocument(plain, requestFor(plain, { turns: randomTurns(2) }), []);
    const other = list(plain, 'animations')[0] as unknown as Animation;
    const output = (of: Animation, doc: GltfDocument): number[] => {
      return Array.from(readFloats(doc, of.samplers[of.channels[1].sampler]['output'] as number));
    };
    expect(output({ channels, samplers }, after)).toEqual(output(other, plain));
  });

  it('get matrices where a skin has none, and too few', () => {
    for (const inverseBindMatrices of [undefined, 7]) {
      const skins = [
        { joints: [1, 2, 3, 4, 5], ...(inverseBindMatrices === undefined ? {} : { inverseBindMatrices }) },
      ];
      const before = tinyCharacter({ skins: structuredClone(skins) });
      const after = tinyCharacter({ skins: structuredClone(skins) });
      conformDocument(after, requestFor(after, { turns: randomTurns(3) }), []);
      const accessor = list(after, 'skins')[0]['inverseBindMatrices'] as number;
      expect(list(after, 'accessors')[accessor]['count']).toBe(5);
      const bound = skinning(after, worldMatricesOf(after));
      const worlds = worldMatricesOf(before);
      // Missing matrices are identities: such a joint moves the mesh as it stands itself.
      for (const [j, joint] of [1, 2, 3, 4, 5].entries())
        expectNear(bound[j], worlds.get(joint) as Matrix, SECOND_OPINION);
    }
  });
});

describe('a definition alone', () => {
  it('changes nothing but the extension where all bones are joints', () => {
    const doc = tinyCharacter({ skins: [{ joints: [1, 2, 3, 4, 5, 8] }] });
    const before = structuredClone(doc.json);
    const result = conformDocument(doc, requestFor(doc), []);
    expect(result).toMatchObject({ index: 0, wrapped: [], newJoints: [], hasNewRoot: false, meshes: 0 });
    expect(doc.json['extensionsUsed']).toEqual(['EXT_skeleton_humanoid']);
    expect({ ...doc.json, extensions: undefined, extensionsUsed: undefined }).toEqual({
      ...before,
      extensions: undefined,
      extensionsUsed: undefined,
    });
    expect(result.definition.rootNode).toBe(0);
  });

  it('takes the place of one of the same bones, and stands beside others', () => {
    const doc = tinyCharacter();
    conformDocument(doc, requestFor(doc), []);
    expect(conformDocument(doc, requestFor(doc), []).index).toBe(0);
    const { humanoidSkeletons } = (doc.json['extensions'] as Record<string, { humanoidSkeletons: unknown[] }>)[
      'EXT_skeleton_humanoid'
    ];
    expect(humanoidSkeletons).toHaveLength(1);
    const other = new Int32Array(BONE_COUNT).fill(-1);
    other[BONE.hips] = 6;
    expect(conformDocument(doc, { ...requestFor(doc), bones: other }, []).index).toBe(1);
  });

  it('gets a root node where the bones are in several trees', () => {
    const nodes = structuredClone(NODES) as JsonObject[];
    nodes[2]['children'] = [6];
    const doc = tinyCharacter({ nodes, scenes: [{ nodes: [0, 8] }] });
    const before = worldMatricesOf(doc);
    const result = conformDocument(doc, requestFor(doc), []);
    expect(result).toMatchObject({ hasNewRoot: true, definition: { rootNode: 9 } });
    expect(list(doc, 'nodes')[9]['children']).toEqual([0, 8]);
    expect(doc.json['scenes']).toEqual([{ nodes: [9] }]);
    for (const [node, matrix] of worldMatricesOf(doc))
      if (node < 9) expectNear(matrix, before.get(node) as Matrix, 1e-12);
  });
});
