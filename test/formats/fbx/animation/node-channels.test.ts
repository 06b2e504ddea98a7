import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SAFETY } from '../../../../src/core/animation/resample.ts';
import * as quat from '../../../../src/core/math/quat.ts';
import type { FbxChannel } from '../../../../src/formats/fbx/animation/animation-layers.ts';
import { CONSTANT_END, SEGMENT } from '../../../../src/formats/fbx/animation/fbx-curve.ts';
import {
  type AnimatedNode,
  channelsOf,
  pathErrorBound,
  pathFunction,
} from '../../../../src/formats/fbx/animation/node-channels.ts';
import type { FbxProperty } from '../../../../src/formats/fbx/document/fbx-tree.ts';
import { readTransform } from '../../../../src/formats/fbx/nodes/node-transform.ts';

/** A channel whose three values go from `from` to `to` in a second. */
function channel(path: FbxChannel['path'], from: number, to: number): FbxChannel {
  const curve = {
    times: Float64Array.of(0, 1),
    values: Float64Array.of(from, to),
    segments: Uint8Array.of(SEGMENT.LINEAR, SEGMENT.LINEAR),
    handles: new Float64Array(8),
    before: CONSTANT_END,
    after: CONSTANT_END,
  };
  const blending = {
    isBase: true,
    mode: 'additive',
    blendsAsRotation: true,
    multipliesScale: true,
    weight: 1,
    weightCurve: null,
  } as const;
  return {
    path,
    rest: [0, 0, 0],
    order: 'ZYX',
    layers: [{ blending, curves: [curve, curve, curve], defaults: [0, 0, 0] }],
  };
}

const move = channel('translation', 0, 10);
const turn = channel('rotation', 0, 90);
const grow = channel('scale', 1, 3);

function node(
  values: Readonly<Record<string, readonly FbxProperty[]>>,
  more: Partial<AnimatedNode> = {},
): AnimatedNode {
  const transform = readTransform({ own: new Map(Object.entries(values)), defaults: new Map() }, new Set());
  return { transform, translation: move, rotation: turn, scale: grow, parent: null, ...more };
}

describe('channelsOf', () => {
  it('returns the own channel of a path if nothing mixes them', () => {
    const plain = node({});
    expect(channelsOf(plain, 'translation')).toEqual([move]);
    expect(channelsOf(plain, 'rotation')).toEqual([turn]);
    expect(channelsOf(plain, 'scale')).toEqual([grow]);
    expect(channelsOf(node({}, { rotation: null }), 'rotation')).toEqual([]);
    // An offset of the rotation only moves.
    expect(channelsOf(node({ RotationOffset: [1, 2, 3] }), 'translation')).toEqual([move]);
  });

  it('includes rotation and scale for the translation of a node with pivots', () => {
    expect(channelsOf(node({ RotationPivot: [0, 1, 0] }), 'translation')).toEqual([move, turn]);
    expect(channelsOf(node({ ScalingOffset: [0, 1, 0] }), 'translation')).toEqual([move, turn]);
    expect(channelsOf(node({ ScalingPivot: [0, 1, 0] }), 'translation')).toEqual([move, turn, grow]);
    expect(channelsOf(node({ ScalingPivot: [0, 1, 0] }), 'rotation')).toEqual([turn]);
  });

  it('includes the excluded scaling of the parent', () => {
    const even = node({}, { parent: { scale: [2, 2, 2], channel: null } });
    expect(channelsOf(even, 'scale')).toEqual([grow]);
    const uneven = node({}, { parent: { scale: [2, 1, 1], channel: null } });
    expect(channelsOf(uneven, 'scale')).toEqual([grow, turn]);
    expect(channelsOf(uneven, 'rotation')).toEqual([turn, grow]);
    const parentGrow = channel('scale', 1, 4);
    const growing = node({}, { scale: null, rotation: null, parent: { scale: [1, 1, 1], channel: parentGrow } });
    expect(channelsOf(growing, 'scale')).toEqual([parentGrow]);
  });
});

describe('pathFunction', () => {
  it('evaluates a path of the local pose', () => {
    const out = new Float64Array(5);
    pathFunction(node({ 'Lcl Translation': [1, 1, 1] }), 'translation')(0.5, out, 1);
    expect([...out]).toEqual([0, 5, 5, 5, 0]);
    pathFunction(node({}), 'scale')(0.5, out, 0);
    expect([...out.subarray(0, 3)]).toEqual([2, 2, 2]);
    const turned = node(
      {},
      { rotation: { ...turn, layers: [{ ...turn.layers[0], curves: [turn.layers[0].curves[0], null, null] }] } },
    );
    pathFunction(turned, 'rotation')(1, out, 0);
    expect([...out.subarray(0, 4)].map(Math.fround)).toEqual([Math.SQRT1_2, 0, 0, Math.SQRT1_2].map(Math.fround));
  });

  it('includes movement about a pivot, and excludes the scale of the parent', () => {
    const out = new Float64Array(4);
    const about = { ...turn, layers: [{ ...turn.layers[0], curves: [null, null, turn.layers[0].curves[2]] as const }] };
    // A quarter turn about z at (1, 0, 0): the origin comes to (1, −1, 0).
    pathFunction(node({ RotationPivot: [1, 0, 0] }, { translation: null, rotation: about }), 'translation')(1, out, 0);
    expect([...out.subarray(0, 3)].map((x) => Math.round(x * 1e9) / 1e9)).toEqual([1, -1, 0]);
    const growing = node({}, { scale: null, parent: { scale: [1, 1, 1], channel: channel('scale', 1, 4) } });
    pathFunction(growing, 'scale')(1, out, 0);
    expect([...out.subarray(0, 3)]).toEqual([0.25, 0.25, 0.25]);
  });
});

describe('pathErrorBound', () => {
  /** A node that turns evenly about x, y and z in a second, degrees. */
  function turning(from: readonly number[], rises: readonly number[]): AnimatedNode {
    const curves = from.map((start, c) => channel('rotation', start, start + rises[c]).layers[0].curves[0]);
    const [x, y, z] = curves;
    return node({}, { rotation: { ...turn, layers: [{ ...turn.layers[0], curves: [x, y, z] }] } });
  }

  it('is never below the error of slerp between the keys, but for the safety of its user', () => {
    const angles = (most: number) =>
      fc.tuple(...[0, 1, 2].map(() => fc.double({ min: -most, max: most, noNaN: true })));
    fc.assert(
      fc.property(angles(180), angles(57), fc.integer({ min: -6, max: 0 }), (from, rises, exponent) => {
        const turned = turning(
          from,
          rises.map((rise) => rise * 2 ** exponent),
        );
        const evaluate = pathFunction(turned, 'rotation');
        const ends = new Float64Array(8);
        const [exact, between] = [new Float64Array(4), new Float64Array(4)];
        evaluate(0, ends, 0);
        evaluate(1, ends, 4);
        const bound = pathErrorBound(turned, 'rotation')(0, 1);
        for (let k = 1; k < 16; k++) {
          evaluate(k / 16, exact, 0);
          quat.slerp(between, 0, ends, 0, ends, 4, k / 16);
          expect(SAFETY * quat.angleBetween(between, 0, exact, 0)).toBeLessThanOrEqual(bound + 1e-9);
        }
      }),
    );
  });

  it('is 0 for straight translations, and infinite where the curves alone do not tell', () => {
    expect(pathErrorBound(node({}), 'translation')(0, 1)).toBe(0);
    expect(pathErrorBound(node({}), 'translation')(1, 2)).toBe(0);
    expect(pathErrorBound(node({}), 'translation')(0.5, 1.5)).toBe(Infinity);
    expect(pathErrorBound(node({ RotationPivot: [0, 1, 0] }), 'translation')(0, 1)).toBe(Infinity);
    expect(pathErrorBound(turning([0, 0, 0], [90, 0, 0]), 'rotation')(0, 1)).toBe(Infinity);
    const [layer] = turn.layers;
    const [curve] = layer.curves;
    const added = { ...layer, blending: { ...layer.blending, isBase: false } };
    expect(pathErrorBound(node({}, { rotation: { ...turn, layers: [layer, added] } }), 'rotation')(0, 0.1)).toBe(
      Infinity,
    );
    const curved = { ...curve, segments: Uint8Array.of(SEGMENT.CUBIC, SEGMENT.LINEAR) } as typeof curve;
    const cubic = { ...move, layers: [{ ...layer, curves: [curved, null, null] as const }] };
    expect(pathErrorBound(node({}, { translation: cubic }), 'translation')(0, 1)).toBe(Infinity);
  });
});
