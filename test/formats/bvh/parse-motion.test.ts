import { describe, expect, it } from 'vitest';
import type { Issue } from '../../../src/core/report/issue.ts';
import type { BvhMotion } from '../../../src/formats/bvh/bvh-tree.ts';
import { parseMotion } from '../../../src/formats/bvh/parse-motion.ts';

function parse(text: string, channels = 2): BvhMotion & { issues: Issue[]; numbers: number[] } {
  const issues: Issue[] = [];
  const motion = parseMotion({ text, at: 0 }, channels, issues);
  return { ...motion, issues, numbers: [...motion.values] };
}

describe('parseMotion', () => {
  it('reads numbers with any line breaks', () => {
    const motion = parse('Frames:\n2\nFrame\tTime:.5\r1\r\n2 3\n\n\n4');
    expect(motion).toMatchObject({ frameCount: 2, frameTime: 0.5, numbers: [1, 2, 3, 4], issues: [] });
  });

  it.each([
    'Frames: 1 Frame Time: .5 1 2',
    'frames:1 frame time:.5\n1 2',
    'FRAMES 1\nFRAMETIME: .5 1 2',
    'Frames : 1\nFrame Time : .5 1 2',
  ])('reads the header %j', (text) => {
    expect(parse(text)).toMatchObject({ frameCount: 1, frameTime: 0.5, numbers: [1, 2], issues: [] });
  });

  it.each([
    [
      'fewer',
      3,
      '1 2 3 4 5',
      [1, 2, 3, 4],
      'declares 3 frames of 2 numbers, but the file has 2 complete frames and 1 more numbers',
    ],
    [
      'more',
      1,
      '1 2 3 4 5 6',
      [1, 2, 3, 4, 5, 6],
      'declares 1 frames of 2 numbers, but the file has 3 complete frames.',
    ],
    ['no frames, fewer', 1, '', [], 'has 0 complete frames.'],
    ['four billion times fewer', 4e9, '1 2', [1, 2], 'has 1 complete frames.'],
    ['more than −1', -1, '1 2', [1, 2], 'declares -1 frames'],
    ['more than NaN', Number.NaN, '1 2', [1, 2], 'declares NaN frames'],
  ])('keeps the complete frames when the file has %s frames than declared', (_, frames, data, kept, message) => {
    const motion = parse(`Frames: ${frames}\nFrame Time: 1\n${data}`);
    expect(motion.numbers).toEqual(kept);
    expect(motion.frameCount).toBe(kept.length / 2);
    expect(motion.issues.map(({ code }) => code)).toEqual(['BVH_MOTION']);
    expect(motion.issues[0]!.message).toContain(message);
    expect(motion.issues[0]!.where).toEqual({ line: 1, column: 9 });
  });

  it('reads zero declared frames without an issue', () => {
    expect(parse('Frames: 0\nFrame Time: 1\n')).toMatchObject({ frameCount: 0, numbers: [], issues: [] });
  });

  it('returns no frames when no joint has a channel', () => {
    expect(parse('Frames: 9\nFrame Time: 1\n', 0)).toMatchObject({ frameCount: 0, numbers: [], issues: [] });
    expect(parse('Frames: 9\nFrame Time: 1\n3', 0).issues.length).toBe(1);
  });

  it.each(['0', '-0.01', 'nan', '0.000', 'inf', '1e-30', '1e30', '0,0333', 'fast'])(
    'assumes 1/30 s for the invalid frame time %s, and reports it',
    (time) => {
      const motion = parse(`Frames: 1\nFrame Time: ${time}\n1 2`);
      expect(motion.frameTime).toBe(1 / 30);
      expect(motion.numbers).toEqual([1, 2]);
      expect(motion.issues).toMatchObject([{ code: 'BVH_MOTION', where: { line: 2, column: 13 } }]);
      expect(motion.issues[0]!.message).toContain(JSON.stringify(time));
    },
  );

  it('keeps a frame time that is a rate or in milliseconds, and reports it', () => {
    const { frameTime, issues } = parse('Frames: 1\nFrame Time: 30\n1 2');
    expect(frameTime).toBe(30);
    expect(issues).toMatchObject([{ code: 'BVH_MOTION', where: { line: 2, column: 13 } }]);
  });

  it('replaces non-finite numbers by the previous frame, at the start by the next', () => {
    const motion = parse('Frames: 4\nFrame Time: 1\nnan 5\n1 inf\n-1.#IND 6\n2 -nan', 2);
    expect(motion.numbers).toEqual([1, 5, 1, 5, 1, 6, 2, 6]);
    expect(motion.issues).toMatchObject([{ code: 'BVH_MOTION', where: { line: 3, column: 1 } }]);
    expect(motion.issues[0]!.message).toContain('4 numbers are not finite');
    expect(parse('Frames: 2\nFrame Time: 1\nnan 5\nnan 6').numbers).toEqual([0, 5, 0, 6]);
  });

  it('treats an incomplete number at the end as a cut, and drops its frame', () => {
    expect(parse('Frames: 2\nFrame Time: 1\n1 2\n3 -')).toMatchObject({ frameCount: 1, numbers: [1, 2] });
    expect(parse('Frames: 2\nFrame Time: 1\n1 2\n3 1e-').issues.length).toBe(1);
  });

  it('ignores text after the last declared frame, and reports it', () => {
    const motion = parse('Frames: 1\nFrame Time: 1\n1 2\nmade by nobody');
    expect(motion).toMatchObject({ frameCount: 1, numbers: [1, 2] });
    expect(motion.issues).toMatchObject([{ code: 'BVH_MOTION', where: { line: 4, column: 1 } }]);
  });

  it.each([
    ['', '"Frames:"'],
    ['Frames', 'the number of frames'],
    ['Frames: many', 'the number of frames'],
    ['Frames: 2', '"Frame Time:"'],
    ['Frames: 2 Frame 3', '"Frame Time:"'],
    ['Frames: 2 Frame Time:', 'the frame time in seconds'],
    ['Frames: 2 Frame Time: 1 1 2 three 4', 'Found "three" where a number was expected'],
    ['Frames: 2 Frame Time: 1 1 2 3,5 4', 'Found "3,5" where a number was expected'],
    ['Frames: -1 Frame Time: 1 1 2 end', 'Found "end"'],
    ['Frames: 2 Frame Time: 1 1 2 } 4', 'Found "}"'],
  ])('refuses %j', (text, expected) => {
    expect(() => parse(text)).toThrow(expected);
  });
});
