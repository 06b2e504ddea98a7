import { describe, expect, it } from 'vitest';
import { templateClips, templateTimePairs } from '../../../../../src/formats/usd/stage/value-clips/clip-template.ts';

const template = (
  assetPath: string,
  startTime: number,
  endTime: number,
  stride: number,
  activeOffset: number | null = null,
) => ({ assetPath, startTime, endTime, stride, activeOffset });
const names = (...args: Parameters<typeof template>): unknown => {
  const clips = templateClips(template(...args));
  return typeof clips === 'string' ? clips : clips.map(({ assetPath }) => assetPath);
};

describe('templateClips', () => {
  it('lists times by stride up to the end', () => {
    expect(names('path/basename.#.usd', 12, 25, 6)).toEqual([
      'path/basename.12.usd',
      'path/basename.18.usd',
      'path/basename.24.usd',
    ]);
  });

  it('pads with zeros and writes subframes to a second group', () => {
    expect(names('a.###.usd', 8, 12, 4)).toEqual(['a.008.usd', 'a.012.usd']);
    expect(names('a.##.##.usd', 1, 1.5, 0.25)).toEqual(['a.01.00.usd', 'a.01.25.usd', 'a.01.50.usd']);
    expect(names('./d.x/a.##.usd', -1, 0, 1)).toEqual(['./d.x/a.-1.usd', './d.x/a.00.usd']);
  });

  it('describes invalid templates', () => {
    expect(names('a.usd', 0, 1, 1)).toContain('templateAssetPath');
    expect(names('a.#.b.#.usd', 0, 1, 1)).toContain('templateAssetPath');
    expect(names('a.#.usd', 0, 1, 0)).toContain('templateStride');
    expect(names('a.#.usd', 2, 1, 1)).toContain('templateEndTime');
    expect(names('a.#.usd', 0, 1, 1, 2)).toContain('templateActiveOffset');
    expect(names('a.#.usd', 0, 1e9, 1)).toContain('files');
    expect(names('a.#.usd', 0, Number.NaN, 1)).toContain('templateEndTime');
  });
});

describe('templateTimePairs', () => {
  it('activates each file from its time on', () => {
    const clips = [
      { assetPath: 'a', time: 1 },
      { assetPath: 'b', time: 3 },
    ];
    expect(templateTimePairs(template('', 1, 3, 1), clips)).toEqual({ times: [1, 1, 3, 3], active: [1, 0, 3, 1] });
  });

  it('applies the active offset and adds a knot at either end, as OpenUSD documents', () => {
    const clips = [101, 102, 103].map((time) => ({ assetPath: '', time }));
    expect(templateTimePairs(template('', 101, 103, 1, 0.5), clips)).toEqual({
      times: [100.5, 100.5, 101, 101, 102, 102, 103, 103, 103.5, 103.5],
      active: [101.5, 0, 102.5, 1, 103.5, 2],
    });
  });
});
