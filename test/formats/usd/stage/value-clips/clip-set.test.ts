import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timeSamplesOf } from '../../../../../src/formats/usd/stage/attribute-values.ts';
import { lawRuns } from '../../../../support/law-runs.ts';
import { USD_STAGE_F64 } from '../../../../support/tolerances.ts';
import { plain, stageOf } from '../scene.ts';

const clip = (samples: string): string => `def "C" { double x.timeSamples = { ${samples} } }`;
const scene = (
  info: string,
  inside = 'double x',
): string => `def "A" (clips = { dictionary default = { string primPath = "/C"
  ${info} } }) { ${inside} }`;
const TWO = 'asset[] assetPaths = [@one@, @two@]\n double2[] active = [(0, 0), (10, 1)]';

describe('clipValue', () => {
  it('uses the first clip before its start, each up to the next start, the last to the end', () => {
    const stage = stageOf(scene(TWO), { one: clip('0: 0, 9: 9, 20: 20'), two: clip('0: 100, 20: 120') });
    expect([-5, 0, 4, 9, 10, 15, 20, 50].map((time) => plain(stage, '/A', 'x', time))).toEqual([
      0, 0, 4, 9, 110, 115, 120, 120,
    ]);
    // The start of a clip counts as a sample; what is outside of a clip's time does not.
    expect([...timeSamplesOf(stage, '/A', 'x')]).toEqual([0, 9, 10, 20]);
  });

  it('interpolates from the last sample of a clip to the start of the next one', () => {
    const stage = stageOf(scene(TWO), { one: clip('0: 0, 5: 5'), two: clip('10: 25') });
    expect([5, 7, 10].map((time) => plain(stage, '/A', 'x', time))).toEqual([5, 13, 25]);
  });

  it('returns null in clips without samples unless the manifest has a default', () => {
    const files = { one: clip('0: 0, 5: 5'), two: 'def "C" {}' };
    const stage = stageOf(scene(TWO), files);
    expect([4, 7, 10, 15].map((time) => plain(stage, '/A', 'x', time))).toEqual([4, 5, null, null]);
    const manifest = { ...files, man: 'def "C" { double x = 30 }' };
    const filled = stageOf(scene(`${TWO}\n asset manifestAssetPath = @man@`), manifest);
    expect([4, 10, 15].map((time) => plain(filled, '/A', 'x', time))).toEqual([4, 30, 30]);
  });

  it('interpolates over clips without samples with interpolateMissingClipValues', () => {
    const three =
      'asset[] assetPaths = [@one@, @none@, @two@]\n double2[] active = [(0, 0), (10, 1), (20, 2)]\n bool interpolateMissingClipValues = true';
    const files = { one: clip('0: 0, 10: 10'), none: 'def "C" {}', two: clip('20: 20, 30: 30') };
    const stage = stageOf(scene(three), files);
    expect([0, 15, 20, 25].map((time) => plain(stage, '/A', 'x', time))).toEqual([0, 15, 20, 25]);
    const blocked = {
      ...files,
      none: clip('10: 999'),
      man: 'def "C" { double x\n double x.timeSamples = { 10: None } }',
    };
    expect(plain(stageOf(scene(`${three}\n asset manifestAssetPath = @man@`), blocked), '/A', 'x', 15)).toBe(15);
    const silent = stageOf(scene(three), { one: 'def "C" {}', none: 'def "C" {}', two: 'def "C" {}' });
    expect(plain(silent, '/A', 'x', 15)).toBeNull();
  });

  it('applies only to attributes that the manifest declares as varying', () => {
    const info = `${TWO}\n asset manifestAssetPath = @man@`;
    const files = { one: clip('0: 1'), two: clip('0: 2') };
    expect(plain(stageOf(scene(info), { ...files, man: 'def "C" {}' }), '/A', 'x', 0)).toBeNull();
    expect(plain(stageOf(scene(info), { ...files, man: 'def "C" { uniform double x }' }), '/A', 'x', 0)).toBeNull();
    expect(plain(stageOf(scene(info), { ...files, man: 'def "C" { double x }' }), '/A', 'x', 0)).toBe(1);
  });

  it('equals the samples of a single clip without knots', () => {
    const times = fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(times, fc.double({ min: 0, max: 30, noNaN: true }), (raw, time) => {
        const samples = raw.map((t) => `${t}: ${(t * 7) % 11}`).join(', ');
        const start = Math.min(...raw);
        const clips = stageOf(scene(`asset[] assetPaths = [@one@]\n double2[] active = [(${start}, 0)]`), {
          one: clip(samples),
        });
        const slow = stageOf(clip(samples));
        expect(Math.abs(Number(plain(clips, '/A', 'x', time)) - Number(plain(slow, '/C', 'x', time)))).toBeLessThan(
          USD_STAGE_F64,
        );
      }),
      { seed: 63, numRuns: lawRuns(50) },
    );
  });
});
