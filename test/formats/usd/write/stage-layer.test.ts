import { describe, expect, it } from 'vitest';
import { openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import { serializeUsda } from '../../../../src/formats/usd/text/serialize-usda.ts';
import { makeStageLayer } from '../../../../src/formats/usd/write/stage-layer.ts';
import { METERS_Y } from './written-points.ts';

const CODES = { origin: 10, perSecond: 30 };

describe('makeStageLayer', () => {
  it('writes axes, unit, time code rate and a default prim', () => {
    const { layer, root } = makeStageLayer({ ...METERS_Y, metersPerUnit: 0.01 }, 'My Hero', 'SkelRoot', CODES, []);
    expect(root).toBe('/My_Hero');
    expect(openStage(layer).metrics).toMatchObject({
      upAxis: 'Y',
      metersPerUnit: 0.01,
      timeCodesPerSecond: 30,
      startTimeCode: null,
      endTimeCode: null,
      defaultPrim: '/My_Hero',
    });
    expect(serializeUsda(layer)).toMatch(
      /def SkelRoot "My_Hero" \(\s*displayName = "My Hero"\s*kind = "component"\s*\)/,
    );
    expect(serializeUsda(layer)).not.toContain('xformOp');
  });

  it('writes the time range of the first clip', () => {
    const { layer } = makeStageLayer(METERS_Y, '英雄', 'Xform', CODES, [{ duration: 2 }, { duration: 5 }]);
    expect(openStage(layer).metrics).toMatchObject({ startTimeCode: 10, endTimeCode: 70, defaultPrim: '/Character' });
  });
});
