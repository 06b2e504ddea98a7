import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseBvh } from '../../../src/formats/bvh/parse-bvh.ts';
import { readBvh } from '../../../src/formats/bvh/read-bvh.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';

describe.skipIf(!HAS_ASSETS)('readBvh: files of public reports', () => {
  const bytes = (...path: readonly string[]): Uint8Array => readFileSync(asset('cases', ...path));
  const [plain, ...odd] = [
    'comment_lines',
    'decimal_commas',
    'leading_blank_and_comment',
    'missing_blank_before_minus',
  ];

  it.each(odd)('reads the same motion from %s as with comment lines, with a warning', (name) => {
    const [expected, found] = [plain, name].map((file) => readBvh(bytes('10-bvh-text', `${file}.bvh`)));
    expect(found.skeletons).toEqual(expected.skeletons);
    expect(found.clips).toEqual(expected.clips);
    expect(found.clips[0].clips[0].tracks[0].times.length).toBe(128);
    for (const { issues } of [expected, found]) expect(issues.map(({ code }) => code)).toEqual(['BVH_TEXT']);
  });

  it('reads names in Shift-JIS', () => {
    const { skeletons, issues } = readBvh(bytes('14-shift-jis', 'jp_sjis.bvh'));
    expect(skeletons[0].skeleton.names).toEqual(expect.arrayContaining(['下半身', '左ひじ', '右つま先']));
    expect(issues.map(({ code }) => code)).toContain('TEXT_ENCODING_GUESSED');
  });
});

describe('parseBvh: text that is not in the format', () => {
  const text = (offset: string, head: string, frames: readonly string[]): string =>
    [
      'HIERARCHY',
      'ROOT Hips',
      '{',
      offset,
      'CHANNELS 3 Zrotation Xrotation Yrotation',
      '}',
      'MOTION',
      head,
      ...frames,
    ].join('\n');
  const HEAD = 'Frames: 2\nFrame Time: 0.5';
  const valuesOf = (source: string): { values: number[]; offset: number[]; time: number; issues: string[] } => {
    const { joints, motion, issues } = parseBvh(source);
    return {
      values: [...motion!.values],
      offset: [...joints[0].offset],
      time: motion!.frameTime,
      issues: issues.map(({ message }) => message),
    };
  };
  const EXPECTED = { values: [1.5, -2.25, 3, 4, 5, -6.5], offset: [0, 1.5, -2], time: 0.5 };
  const frames = ['1.5 -2.25 3', '4 5 -6.5'];

  it.each([
    ['OFFSET 0 1,5 -2', 'Frames: 2\nFrame Time: 0,5', ['1,5 -2,25 3', '4 5 -6,5'], 'decimal commas'],
    ['OFFSET 0, 1.5, -2', HEAD, ['1.5,-2.25,3', '4, 5, -6.5'], 'separated by commas'],
    ['OFFSET 0 1.5-2', HEAD, ['1.5-2.25+3', '4 5-6.5'], 'without white space'],
    ['OFFSET 0 1.5-2e0', HEAD, ['1.5e+0-2.25E0 3', '4 5 -6.5'], 'without white space'],
    ['OFFSET 0 1.5 -2 // hips', `# by X\n${HEAD} ; half`, ['% first', ...frames], 'comments'],
  ])('reads %j with a warning', (offset, head, rows, what) => {
    expect(valuesOf(text(offset, head, rows))).toEqual({ ...EXPECTED, issues: [expect.stringContaining(what)] });
  });

  it.each([
    'Frames: 2\nFrame Time: 0.5 s',
    'Frames: 2\nFrame Time: 0.5sec',
    'frames 2\nframe_time 0.5',
    'Frames:2\nFrameTime:0.5',
    'FRAMES:\t2\r\nFRAME\u00a0TIME:\t.5',
  ])('reads the header %j', (head) => {
    expect(valuesOf(text('OFFSET 0 1.5 -2', head, frames))).toEqual({ ...EXPECTED, issues: [] });
  });

  it('keeps marks of comments and commas in names', () => {
    const { joints, issues } = parseBvh('HIERARCHY\nROOT #1, left;x\n{\nOFFSET 0 0 0\n}\n');
    expect(joints[0].name).toBe('#1, left;x');
    expect(issues).toEqual([]);
  });
});
