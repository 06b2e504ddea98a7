import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Interpolation, Keys } from '../../../src/core/animation/clip.ts';
import { sampleKeys } from '../../../src/core/animation/sample.ts';
import { bakeFace } from '../../../src/core/face/bake-face.ts';
import type { FaceExpression, FaceRig, MorphNode } from '../../../src/core/face/face-rig.ts';
import type { ExpressionTrack } from '../../../src/core/face/face-tracks.ts';
import { faceSources, planFace } from '../../../src/core/face/plan-face.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { FACE_WEIGHT } from '../../support/tolerances.ts';

const morphNode = (node: number, targetNames: string[], weights = targetNames.map(() => 0)): MorphNode => {
  return { node, name: `node ${node}`, targetNames, weights: Float64Array.from(weights) };
};
const expression = (
  name: string,
  binds: [node: number, target: number, weight: number][],
  more = {},
): FaceExpression => ({
  name,
  binds: binds.map(([node, target, weight]) => ({ node, target, weight })),
  isBinary: false,
  overrideBlink: 'none',
  overrideLookAt: 'none',
  overrideMouth: 'none',
  changesMaterials: false,
  ...more,
});
const rigOf = (morphNodes: MorphNode[], expressions: FaceExpression[] = []): FaceRig => {
  return { morphNodes, expressions, lookAt: null };
};
const track = (
  name: string,
  times: number[],
  values: number[],
  interpolation: Interpolation = 'LINEAR',
): ExpressionTrack => {
  return { name, sourceNode: -1, interpolation, times: Float32Array.from(times), values: Float64Array.from(values) };
};
const morphs = (targetNames: string[], times: number[], values: number[], interpolation: Interpolation = 'LINEAR') => {
  return {
    targetCount: targetNames.length,
    targetNames,
    interpolation,
    times: Float32Array.from(times),
    values: Float64Array.from(values),
  };
};

type Motion = { expressions?: ExpressionTrack[]; morphs?: ReturnType<typeof morphs>[] };

function bake(rig: FaceRig, { expressions = [], morphs: tracks = [] }: Motion, fixed = new Map<number, Keys>()) {
  const sources = faceSources(expressions, tracks);
  const plan = planFace(sources, rig);
  const baked = bakeFace(plan, rig, sources, fixed);
  const names = (list: readonly number[]) => list.map((source) => sources[source].name);
  return { baked, missing: names(plan.missing) };
}

function at(keys: Keys, time: number, width: number): number[] {
  const out = new Float64Array(width);
  sampleKeys(keys, width, false, time, out, 0);
  return [...out];
}

describe('planFace', () => {
  it('prefers a name to a shape, and a shape to a recipe', () => {
    const face = morphNode(3, ['vrc.blink', 'eyeBlinkLeft', 'own']);
    const { baked, missing } = bake(rigOf([face]), {
      morphs: [morphs(['blink', 'eyeBlinkLeft', 'own', 'eyeBlinkRight', 'nobody'], [0], [0.5, 0.25, 1, 0.5, 1])],
    });
    // blink by shape, the left eye and `own` by name, the right eye by recipe as half of blink.
    expect([...baked[0].values]).toEqual([0.75, 0.25, 1]);
    expect(missing).toEqual(['nobody']);
  });

  it('prefers expressions for expressions, morph targets for morph targets', () => {
    const rig = rigOf([morphNode(1, ['aa', 'jaw'])], [expression('aa', [[1, 1, 0.5]])]);
    expect([...bake(rig, { expressions: [track('aa', [0], [1])] }).baked[0].values]).toEqual([0, 0.5]);
    expect([...bake(rig, { morphs: [morphs(['aa'], [0], [1])] }).baked[0].values]).toEqual([1, 0]);
  });

  it('animates all nodes that have a shape, and all parts of a shape', () => {
    const rig = rigOf([morphNode(1, ['jawOpen']), morphNode(2, ['x', 'Cheek_Puff_L', 'Cheek_Puff_R', 'jawOpen'])]);
    const { baked } = bake(rig, { morphs: [morphs(['Jaw_Open', 'cheekPuff'], [0, 1], [0, 0.5, 1, 0.5])] });
    expect(baked.map(({ values }) => [...values])).toEqual([
      [0, 1],
      [0, 0.5, 0.5, 0, 0, 0.5, 0.5, 1],
    ]);
  });

  it('averages the parts of a shape', () => {
    const names = ['Brow_Raise_Inner_L', 'Brow_Raise_Inner_R'];
    const { baked } = bake(rigOf([morphNode(1, ['browInnerUp'])]), { morphs: [morphs(names, [0], [1, 0.5])] });
    expect([...baked[0].values]).toEqual([0.75]);
  });

  it('applies a recipe only if the character has at least half of it', () => {
    const most = bake(rigOf([morphNode(1, ['mouthSmileLeft', 'mouthSmileRight'])]), {
      expressions: [track('happy', [0], [1])],
    });
    expect([...most.baked[0].values]).toEqual([1, 1]);
    const little = bake(rigOf([morphNode(1, ['cheekSquintLeft'])]), { expressions: [track('happy', [0], [1])] });
    expect([little.baked, little.missing]).toEqual([[], ['happy']]);
  });

  it('ignores weights that are always 0, and does not report neutral shapes as missing', () => {
    const motion = { expressions: [track('sad', [0, 1], [0, 0]), track('neutral', [0], [1]), track('sil', [0], [1])] };
    expect(bake(rigOf([morphNode(1, ['a'])]), motion)).toEqual({ baked: [], missing: [] });
  });

  it('ignores expressions without morph targets', () => {
    const rig = rigOf(
      [morphNode(1, ['blink'])],
      [expression('happy', [], { overrideBlink: 'block', changesMaterials: true })],
    );
    const motion = { expressions: [track('happy', [0], [1]), track('blink', [0], [1])] };
    const { baked, missing } = bake(rig, motion);
    expect([[...baked[0].values], missing]).toEqual([[1], ['happy']]);
  });
});

describe('bakeFace', () => {
  it('keeps CUBICSPLINE keys where nothing is clamped, for targets in a different order', () => {
    const spline = [0, 0, 0.1, 0.2, 0, 0, 0, 0, 0.5, 1, 0, 0];
    const motion = { morphs: [morphs(['aa', 'ee'], [0, 1], spline, 'CUBICSPLINE')] };
    const { baked } = bake(rigOf([morphNode(1, ['ee', 'other', 'aa'], [0, 0.75, 0])]), motion);
    expect(baked[0].interpolation).toBe('CUBICSPLINE');
    expect([...baked[0].values]).toEqual([0, 0, 0, 0.2, 0.75, 0.1, 0, 0, 0, 0, 0, 0, 1, 0.75, 0.5, 0, 0, 0]);
  });

  it('keeps STEP keys with binary expressions and clamping', () => {
    const rig = rigOf([morphNode(1, ['a'])], [expression('happy', [[1, 0, 1]], { isBinary: true })]);
    const { baked } = bake(rig, { expressions: [track('happy', [0, 1, 2], [0.4, 0.6, 0.5], 'STEP')] });
    expect(baked[0]).toMatchObject({ interpolation: 'STEP', values: Float64Array.of(0, 1, 0) });
  });

  it('switches a binary expression at the exact time', () => {
    const rig = rigOf([morphNode(1, ['a'])], [expression('happy', [[1, 0, 1]], { isBinary: true })]);
    const [baked] = bake(rig, { expressions: [track('happy', [0, 1, 2], [0, 1, 0])] }).baked;
    for (const [time, weight] of [
      [0.4999, 0],
      [0.5001, 1],
      [1.4999, 1],
      [1.5001, 0],
    ])
      expect(at(baked, time, 1)).toEqual([weight]);
    expect(baked.times.length).toBeLessThan(10);
  });

  it('overrides expressions of other kinds, not of its own kind', () => {
    const rig = rigOf(
      [morphNode(1, ['a', 'b', 'c'])],
      [
        expression('happy', [[1, 0, 1]], { overrideBlink: 'blend', overrideMouth: 'block' }),
        expression('blink', [[1, 1, 1]], { overrideBlink: 'block' }),
        expression('aa', [[1, 2, 1]]),
      ],
    );
    const half = track('happy', [0, 1], [0, 1]);
    const [baked] = bake(rig, { expressions: [half, track('blink', [0], [0.8]), track('aa', [0], [1])] }).baked;
    expect(at(baked, 0, 3)).toEqual([0, expect.closeTo(0.8), 1]);
    expect(at(baked, 0.5, 3)).toEqual([0.5, expect.closeTo(0.4), 0]);
    expect(at(baked, 1e-6, 3)[2]).toBe(0);
  });

  it('adds to fixed keys, clamped to 0…1', () => {
    const fixed = morphs(['a', 'b'], [0, 1], [0.5, 0.25, 0.5, 2]);
    const motion = { expressions: [track('a', [0, 1], [0, 1])] };
    const [baked] = bake(rigOf([morphNode(1, ['a', 'b'])]), motion, new Map([[0, fixed]])).baked;
    expect(at(baked, 0.25, 2)).toEqual([expect.closeTo(0.75, 3), expect.closeTo(0.6875)]);
    expect(at(baked, 1, 2)).toEqual([1, 2]);
  });

  it('keeps default weights, except those that a VRM player resets to 0', () => {
    const rig = rigOf(
      [morphNode(1, ['a', 'b', 'c'], [0.5, 0.5, 0.5])],
      [expression('sad', [[1, 1, 1]]), expression('oh', [[1, 2, 1]])],
    );
    expect([...bake(rig, { expressions: [track('sad', [0], [0.25])] }).baked[0].values]).toEqual([0.5, 0.25, 0]);
  });

  it('equals the sum over sources at every time, within the tolerance, for any LINEAR keys', () => {
    const keys = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 8 }).chain((frames) =>
      fc
        .array(fc.double({ min: -0.5, max: 1.5, noNaN: true }), {
          minLength: frames.length,
          maxLength: frames.length,
        })
        .map((values) => ({ times: frames.sort((a, b) => a - b).map((frame) => frame / 30), values })),
    );
    const rig = rigOf(
      [morphNode(1, ['a', 'b'])],
      [
        expression('happy', [
          [1, 0, 0.8],
          [1, 1, 0.3],
        ]),
        expression('sad', [[1, 0, 0.6]]),
      ],
    );
    const property = fc.property(keys, keys, fc.double({ min: 0, max: 2, noNaN: true }), (one, two, time) => {
      const tracks = [track('happy', one.times, one.values), track('sad', two.times, two.values)];
      const { baked } = bake(rig, { expressions: tracks });
      const [happy, sad] = tracks.map((keysOf) => Math.min(1, Math.max(0, at(keysOf, time, 1)[0])));
      const expected = [Math.min(1, 0.8 * happy + 0.6 * sad), 0.3 * happy];
      const ours = baked.length === 0 ? [0, 0] : at(baked[0], time, 2);
      for (const c of [0, 1]) expect(Math.abs(ours[c] - expected[c])).toBeLessThan(FACE_WEIGHT);
    });
    fc.assert(property, { seed: 7, numRuns: lawRuns(150) });
  });
});
