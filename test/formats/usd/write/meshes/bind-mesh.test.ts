import { describe, expect, it } from 'vitest';
import type { MorphTarget } from '../../../../../src/core/asset/geometry.ts';
import { joinInfluenceSets } from '../../../../../src/core/deform/influences.ts';
import { definePrim, makeLayer } from '../../../../../src/formats/usd/author/author-prims.ts';
import { serializeUsda } from '../../../../../src/formats/usd/text/serialize-usda.ts';
import {
  addBlendShapes,
  remapInfluences,
  rigidInfluences,
} from '../../../../../src/formats/usd/write/meshes/bind-mesh.ts';
import { triangle } from '../small-geometry.ts';

describe('remapInfluences and rigidInfluences', () => {
  const set = (indices: number[], weights: number[]) => joinInfluenceSets([{ indices, weights }], 2);

  it('remapInfluences: maps joint indices; influences without weight get joint 0', () => {
    const mapped = remapInfluences(set([1, 0, 0, 7], [0.5, 0.5, 1, 0]), Int32Array.of(4, 6), 2);
    expect([...mapped.indices]).toEqual([6, 4, 4, 0]);
    expect([...mapped.weights]).toEqual([0.5, 0.5, 1, 0]);
    expect([mapped.kind, mapped.jointsPerVertex]).toEqual(['vertex', 2]);
  });

  it('expand constant influences to one run per vertex, because some renderers ignore the interpolation', () => {
    const whole = { kind: 'constant', jointsPerVertex: 2, indices: Int32Array.of(1, 0) } as const;
    const mapped = remapInfluences({ ...whole, weights: Float32Array.of(0.25, 0.75) }, Int32Array.of(4, 6), 2);
    expect([mapped.kind, [...mapped.indices], [...mapped.weights]]).toEqual([
      'vertex',
      [6, 4, 6, 4],
      [0.25, 0.75, 0.25, 0.75],
    ]);
    expect(rigidInfluences(3, 2)).toEqual({
      kind: 'vertex',
      jointsPerVertex: 1,
      indices: Int32Array.of(3, 3),
      weights: Float32Array.of(1, 1),
    });
  });
});

describe('addBlendShapes', () => {
  function text(targets: Partial<MorphTarget>[], names: string[], tokens: readonly string[] = names): string {
    const layer = makeLayer({});
    definePrim(layer, '/M', 'Mesh');
    const none = { vertices: null, positions: null, normals: null, tangents: null };
    const morphTargets = targets.map((target) => ({ ...none, ...target }));
    const shapes = names.map((name, t) => ({ name, token: tokens[t] || `shape${t}` }));
    addBlendShapes(layer, '/M', triangle(null, { morphTargets }), shapes);
    return serializeUsda(layer);
  }

  it('writes the offset vertices, without indices if all are offset', () => {
    const usda = text(
      [
        { positions: Float32Array.of(0, 0, 0, 0, 2, 0, 0, 0, 0) },
        { positions: Float32Array.of(1, 0, 0, 1, 0, 0, 1, 0, 0) },
        { vertices: Uint32Array.of(2), positions: Float32Array.of(0, 0, 3), normals: Float32Array.of(0, 1, 0) },
      ],
      ['a', 'b', 'c'],
    );
    expect(usda).toContain('uniform token[] skel:blendShapes = ["a", "b", "c"]');
    expect(usda).toMatch(/rel skel:blendShapeTargets = \[\s*<\/M\/a>,\s*<\/M\/b>,\s*<\/M\/c>,?\s*\]/);
    expect(usda).toMatch(
      /"a"\s*\{\s*uniform vector3f\[\] offsets = \[\(0, 2, 0\)\]\s*uniform int\[\] pointIndices = \[1\]\s*\}/,
    );
    expect(usda).toMatch(/"b"\s*\{\s*uniform vector3f\[\] offsets = \[\(1, 0, 0\), \(1, 0, 0\), \(1, 0, 0\)\]\s*\}/);
    expect(usda).toMatch(/normalOffsets = \[\(0, 1, 0\)\]\s*uniform int\[\] pointIndices = \[2\]/);
  });

  it('keeps blend shape names that are not valid prim names', () => {
    const usda = text([{}, {}, {}], ['smile/half', '', '口']);
    expect(usda).toContain('uniform token[] skel:blendShapes = ["smile/half", "shape1", "口"]');
    expect(usda).toMatch(/def BlendShape "smile_half" \(\s*displayName = "smile\/half"/);
    expect(usda).toContain('def BlendShape "shape1"\n');
    expect(usda).toMatch(/def BlendShape "Shape" \(\s*displayName = "口"/);
    expect(usda).toContain('uniform vector3f[] offsets = []');
  });

  it('keeps the name of a shape and its prim where another mesh has its token', () => {
    const usda = text([{}], ['jawOpen'], ['jawOpen_1']);
    expect(usda).toContain('uniform token[] skel:blendShapes = ["jawOpen_1"]');
    expect(usda).toMatch(/def BlendShape "jawOpen" \(\s*displayName = "jawOpen"/);
  });
});
