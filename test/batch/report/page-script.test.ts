import { expect, it } from 'vitest';
import { PAGE_SCRIPT } from '../../../src/batch/report/page-script.ts';
import { STRIP_BONES, STRIP_FRAMES, STRIP_OFFSET, STRIP_SCALE } from '../../../src/batch/report/strip-format.ts';

const COUNT = STRIP_BONES.length;
const strip = {
  parents: STRIP_BONES.map(([, parent]) => parent),
  scale: STRIP_SCALE,
  offset: STRIP_OFFSET,
  frames: STRIP_FRAMES,
  views: 2,
};

/** A strip with bones whose coordinates are their index, positive and negative. */
function stripOf(bones: readonly number[]): string {
  const bytes = new Int8Array(Math.ceil(COUNT / 8) + 2 * COUNT * STRIP_FRAMES);
  for (const k of bones) bytes[k >> 3] |= 1 << (k & 7);
  for (let frame = 0; frame < STRIP_FRAMES; frame++)
    for (const k of bones) bytes.set([k, -k], Math.ceil(COUNT / 8) + 2 * (frame * COUNT + k));
  return Buffer.from(bytes.buffer).toString('base64');
}

/** The path that the page draws for a figure. */
function pathOf(text: string, frame: number): string {
  const [decode] = /function decode\(text\) \{.*?\n\}/s.exec(PAGE_SCRIPT) ?? [];
  const [path] = /function pathOf\(.*?\n\}/s.exec(PAGE_SCRIPT) ?? [];
  const run = new Function(
    'strip',
    `${decode}\n${path}\nreturn (text, frame) => pathOf(decode(text), frame, 100, 200);`,
  );
  return run(strip)(text, frame);
}

it('PAGE_SCRIPT: draws a line from every bone of a strip to its parent, and over missing bones to the next one', () => {
  const at = (k: number, frame: number): string => `${(frame + 0.5) * 100 + k} ${200 - (-k + STRIP_OFFSET) - 6}`;
  expect(pathOf(stripOf([0, 1, 2]), 0)).toBe(`M${at(0, 0)}L${at(1, 0)}M${at(1, 0)}L${at(2, 0)}`);
  const head = STRIP_BONES.findIndex(([bone]) => bone === 'head');
  expect(pathOf(stripOf([0, head]), 3)).toBe(`M${at(0, 3)}L${at(head, 3)}`);
});
