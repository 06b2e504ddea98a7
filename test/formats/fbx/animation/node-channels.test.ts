import { describe, expect, it } from 'vitest';
import type { FbxChannel } from '../../../../src/formats/fbx/animation/animation-layers.ts';
import { CONSTANT_END, SEGMENT } from '../../../../src/formats/fbx/animation/fbx-curve.ts';
import { type AnimatedNode, channelsOf, pathFunction } from '../../../../src/formats/fbx/animation/node-channels.ts';
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
