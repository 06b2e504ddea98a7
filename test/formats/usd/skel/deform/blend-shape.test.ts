import { describe, expect, it } from 'vitest';
import {
  type BlendShape,
  inBetweenIssues,
  isInBetween,
  readBlendShape,
} from '../../../../../src/formats/usd/skel/deform/blend-shape.ts';
import { messagesOf, stageOf } from '../scene.ts';

function shapeOf(body: string): { shape: BlendShape; messages: string[] } {
  const stage = stageOf(`def BlendShape "S" {\n${body}\n}`);
  return { shape: readBlendShape(stage, '/S'), messages: messagesOf(inBetweenIssues(stage, '/S')) };
}

describe('readBlendShape', () => {
  it('reads the primary shape and in-betweens with the same points', () => {
    const { shape, messages } = shapeOf(`
      uniform vector3f[] offsets = [(1, 0, 0)]
      uniform vector3f[] normalOffsets = [(0, 1, 0)]
      uniform uint[] pointIndices = [7]
      uniform point3f[] inbetweens:half = [(2, 0, 0)] (weight = 0.5)
      uniform vector3f[] inbetweens:half:normalOffsets = [(0, 2, 0)]
      uniform vector3f[] inbetweens:far = [(3, 0, 0)] (weight = -2)`);
    expect(messages).toEqual([]);
    expect(shape.inBetweens).toEqual(['half', 'far']);
    expect(shape.shapes.map(({ positions }) => [...(positions ?? [])])).toEqual([
      [1, 0, 0],
      [2, 0, 0],
      [3, 0, 0],
    ]);
    expect(shape.shapes.map(({ normals }) => normals && [...normals])).toEqual([[0, 1, 0], [0, 2, 0], null]);
    expect(shape.shapes.every(({ vertices }) => vertices?.[0] === 7)).toBe(true);
    expect([...shape.plan.weights]).toEqual([-2, 0, 0.5, 1]);
  });

  it('skips in-betweens without a weight and reports invalid ones', () => {
    const { shape, messages } = shapeOf(`
      uniform vector3f[] offsets = [(1, 0, 0)]
      uniform vector3f[] inbetweens:none = [(9, 0, 0)]
      uniform vector3f[] inbetweens:null = [(9, 0, 0)] (weight = 0)
      uniform vector3f[] inbetweens:full = [(9, 0, 0)] (weight = 1)
      uniform vector3f[] inbetweens:a = [(2, 0, 0)] (weight = 0.5)
      uniform vector3f[] inbetweens:b = [(9, 0, 0)] (weight = 0.5)
      uniform vector3f[] inbetweens:inf = [(9, 0, 0)] (weight = inf)`);
    expect([...shape.plan.weights]).toEqual([0, 0.5, 1]);
    expect(shape.inBetweens[shape.plan.shapes[1] - 1]).toBe('a');
    expect(messages).toEqual([
      'BlendShape /S: the in-between null has weight 0, the weight of the null shape; assign a different weight; it is ignored.',
      'BlendShape /S: the in-between full has weight 1, the weight of the primary shape; assign a different weight; it is ignored.',
      'BlendShape /S: the in-between inf has weight Infinity; expected a finite number; it is ignored.',
      'BlendShape /S: the in-between b has weight 0.5, the same as the in-between a; assign a different weight; it is ignored.',
    ]);
  });

  it('reads an empty BlendShape', () => {
    const { shape, messages } = shapeOf('');
    expect(messages).toEqual([]);
    expect(shape.shapes).toEqual([{ vertices: null, positions: null, normals: null, tangents: null }]);
  });

  it('isInBetween: is false for normal offsets', () => {
    const names = ['inbetweens:a', 'inbetweens:a:normalOffsets', 'inbetweens:', 'offsets'];
    expect(names.filter(isInBetween)).toEqual(['inbetweens:a']);
  });
});
