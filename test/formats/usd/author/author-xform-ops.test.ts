import { describe, expect, it } from 'vitest';
import { definePrim, makeLayer } from '../../../../src/formats/usd/author/author-prims.ts';
import { authorAnimatedTransform, authorTransform } from '../../../../src/formats/usd/author/author-xform-ops.ts';
import { timeSamplesOf } from '../../../../src/formats/usd/stage/attribute-values.ts';
import { openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import { localTransform } from '../../../../src/formats/usd/stage/xform-ops.ts';
import { track } from '../write/small-geometry.ts';

const LOCAL = [1, 2, 3, 0, 0, 0.6, 0.8, 0.01, 0.01, 0.01];

function prim(): ReturnType<typeof makeLayer> {
  const layer = makeLayer({});
  definePrim(layer, '/A', 'Xform');
  return layer;
}

describe('author-xform-ops', () => {
  it('authorTransform: writes one exact matrix, and nothing for the identity', () => {
    const layer = prim();
    authorTransform(layer, '/A', LOCAL);
    const { matrix } = localTransform(openStage(layer), '/A', 0);
    expect(matrix[1]).toBe(2 * 0.6 * 0.8 * 0.01);
    expect([...matrix.subarray(12, 15)]).toEqual([1, 2, 3]);
    const still = prim();
    authorTransform(still, '/A', [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
    expect([...still.specs.keys()]).toEqual(['/', '/A']);
  });

  it('authorAnimatedTransform: writes translate, orient and scale, each at its own times', () => {
    const layer = prim();
    const tracks = { translation: track(0, 'translation', [0, 1], [0, 0, 0, 4, 0, 0]) };
    authorAnimatedTransform(layer, '/A', LOCAL, tracks, { duration: 1, codes: { origin: 10, perSecond: 30 } });
    const stage = openStage(layer);
    expect([...timeSamplesOf(stage, '/A', 'xformOp:translate')]).toEqual([10, 40]);
    expect(timeSamplesOf(stage, '/A', 'xformOp:orient')).toHaveLength(0);
    const { matrix } = localTransform(stage, '/A', 25);
    expect([...matrix.subarray(12, 15)]).toEqual([2, 0, 0]);
    expect(matrix[1]).toBeCloseTo(2 * 0.6 * 0.8 * 0.01, 8);
    expect([...localTransform(stage, '/A', 'default').matrix.subarray(12, 15)]).toEqual([1, 2, 3]);
  });
});
