import { combineLayerValue, eulerToQuat } from '@babylonjs/loaders/FBX/interpreter/animationCurve.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEGREE, type EulerOrder, fromEuler } from '../../../../src/core/math/euler.ts';
import * as quat from '../../../../src/core/math/quat.ts';
import {
  addChannelBreaks,
  type BlendMode,
  type ChannelLayer,
  clampWeight,
  curvesOf,
  evaluateChannel,
  type FbxChannel,
  type LayerBlending,
} from '../../../../src/formats/fbx/animation/animation-layers.ts';
import type { CurveBreaks } from '../../../../src/formats/fbx/animation/curve-breaks.ts';
import { CONSTANT_END, type FbxCurve, SEGMENT } from '../../../../src/formats/fbx/animation/fbx-curve.ts';
import { lawRuns } from '../../../support/law-runs.ts';
import { SECOND_OPINION } from '../../../support/tolerances.ts';

/** A linear curve from 0 s to 1 s. */
function line(from: number, to: number): FbxCurve {
  return {
    times: Float64Array.of(0, 1),
    values: Float64Array.of(from, to),
    segments: Uint8Array.of(SEGMENT.LINEAR, SEGMENT.LINEAR),
    handles: new Float64Array(8),
    before: CONSTANT_END,
    after: CONSTANT_END,
  };
}

const BASE: LayerBlending = {
  isBase: true,
  mode: 'additive',
  blendsAsRotation: true,
  multipliesScale: true,
  weight: 0.5,
  weightCurve: null,
};
const upper = (mode: BlendMode, more: Partial<LayerBlending> = {}): LayerBlending => ({
  ...BASE,
  isBase: false,
  mode,
  ...more,
});

function layer(
  blending: LayerBlending,
  values: readonly (number | null)[],
  defaults: ChannelLayer['defaults'] = [null, null, null],
): ChannelLayer {
  const [x, y, z] = values.map((value) => (value === null ? null : line(value, value)));
  return { blending, curves: [x, y, z], defaults };
}

function channelAt(
  path: FbxChannel['path'],
  layers: readonly ChannelLayer[],
  { rest = [0, 0, 0], order = 'ZYX' as EulerOrder, at = 0 } = {},
): number[] {
  const out = new Float64Array(4);
  evaluateChannel({ path, rest, order, layers }, at, out, 1);
  return [...out.subarray(1)];
}

describe('evaluateChannel', () => {
  it('returns the values of the curves, else the default of the curve node, else the value of the node', () => {
    const base = layer(BASE, [1, null, null], [9, 5, null]);
    expect(channelAt('translation', [base], { rest: [7, 7, 7] })).toEqual([1, 5, 7]);
    expect(channelAt('translation', [], { rest: [7, 8, 9] })).toEqual([7, 8, 9]);
    const moving: ChannelLayer = { blending: BASE, curves: [line(0, 4), null, null], defaults: [null, null, null] };
    expect(channelAt('translation', [moving], { at: 0.25 })).toEqual([1, 0, 0]);
  });

  it('adds additive layers by their weight', () => {
    const base = layer(BASE, [1, 2, 3]);
    const more = layer(upper('additive'), [10, null, 20]);
    expect(channelAt('translation', [base, more])).toEqual([6, 2, 13]);
    // Without a base layer it is added to the node's own values.
    expect(channelAt('translation', [more], { rest: [1, 1, 1] })).toEqual([6, 1, 11]);
  });

  it('replaces the value by override layers and mixes passthrough layers', () => {
    const base = layer(BASE, [1, 2, 3]);
    expect(channelAt('translation', [base, layer(upper('override'), [10, null, 20])])).toEqual([10, 2, 20]);
    expect(channelAt('translation', [base, layer(upper('passthrough'), [10, null, 20])])).toEqual([5.5, 2, 11.5]);
  });

  it('multiplies scales, or adds them if the layer declares it', () => {
    const base = layer(BASE, [2, 2, -2]);
    const factor = layer(upper('additive'), [4, null, 4]);
    expect(channelAt('scale', [base, factor])).toEqual([4, 2, -4]);
    expect(channelAt('scale', [base, layer(upper('passthrough'), [8, null, -2])]).map(Math.fround)).toEqual([4, 2, 2]);
    expect(channelAt('scale', [base, layer(upper('additive', { multipliesScale: false }), [4, null, 4])])).toEqual([
      4, 2, 0,
    ]);
  });

  it('applies an animated weight', () => {
    const more = layer(upper('additive', { weight: 1, weightCurve: line(0, 200) }), [10, 10, 10]);
    expect(channelAt('translation', [more], { at: 0.25 })).toEqual([5, 5, 5]);
    expect(channelAt('translation', [more], { at: 0.9 })).toEqual([10, 10, 10]);
    expect([-1, 0, 0.3, 0.999999, 7, Number.NaN].map(clampWeight)).toEqual([0, 0, 0.3, 1, 1, 0]);
  });

  it('blends rotations as quaternions or angle by angle like Babylon.js, in all orders', () => {
    // Orders of FBX 0…5, as matrices are multiplied.
    const orders: readonly EulerOrder[] = ['ZYX', 'YZX', 'XZY', 'ZXY', 'YXZ', 'XYZ'];
    const angle = fc.double({ min: -170, max: 170, noNaN: true });
    const angles = fc.tuple(angle, angle, angle);
    const blends = fc.constantFrom<BlendMode>('additive', 'override', 'passthrough');
    fc.assert(
      fc.property(
        angles,
        angles,
        blends,
        fc.boolean(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(5),
        (a, b, mode, blendsAsRotation, weight, order) => {
          const top = layer(upper(mode, { blendsAsRotation, weight }), b);
          const [x, y, z] = channelAt('rotation', [layer(BASE, a), top], { order: orders[order] });
          const theirs = combineLayerValue(
            a,
            b,
            {
              blended: mode !== 'override',
              additive: mode === 'additive',
              composeRotation: blendsAsRotation,
              composeScale: true,
              weight,
            },
            'R',
            order,
          );
          const ours = new Float64Array(4);
          fromEuler(ours, 0, x, y, z, orders[order], DEGREE);
          expect(quat.angleBetween(ours, 0, eulerToQuat(theirs, order), 0)).toBeLessThan(10 * SECOND_OPINION);
        },
      ),
      { seed: 6, numRuns: lawRuns(500) },
    );
  });

  it('curvesOf and addChannelBreaks: include curves of weights only if weights count', () => {
    const weightCurve = line(0, 100);
    const channel = (blend: LayerBlending): FbxChannel => ({
      path: 'rotation',
      rest: [0, 0, 0],
      order: 'ZYX',
      layers: [layer(blend, [1, null, 2])],
    });
    expect(curvesOf(channel({ ...BASE, weightCurve })).length).toBe(2);
    expect(curvesOf(channel(upper('override', { weightCurve }))).length).toBe(2);
    expect(curvesOf(channel(upper('passthrough', { weightCurve }))).length).toBe(3);
    const breaks: CurveBreaks = { keys: [], steps: [] };
    addChannelBreaks(channel(BASE), 0.5, 2, breaks);
    expect(breaks).toEqual({ keys: [Float64Array.of(1), Float64Array.of(1)], steps: [] });
  });
});
