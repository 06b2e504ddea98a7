import { describe, expect, it } from 'vitest';
import { openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import { printUsda } from '../../../../src/formats/usd/text/print-usda.ts';
import { makeStageLayer } from '../../../../src/formats/usd/write/stage-layer.ts';
import { METERS_Y } from './shown.ts';

const CODES = { origin: 10, perSecond: 30 };

describe('a new layer', () => {
  it('has axes, unit, rate and a default prim', () => {
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
    expect(printUsda(layer)).toMatch(/def SkelRoot "My_Hero" \(\s*displayName = "My Hero"\s*kind = "component"\s*\)/);
    expect(printUsda(layer)).not.toContain('xformOp');
  });

  it('lasts as long as the first clip, from the origin on', () => {
    const { layer } = makeStageLayer(METERS_Y, '英雄', 'Xform', CODES, [{ duration: 2 }, { duration: 5 }]);
    expect(openStage(layer).metrics).toMatchObject({ startTimeCode: 10, endTimeCode: 70, defaultPrim: '/Character' });
  });
});
