import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { parseBvh, readBvh, serializeBvh } from 'anyrig/bvh';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../src/core/report/format-error.ts';
import { BVH_CHANNELS } from '../../../src/formats/bvh/bvh-tree.ts';
import { assetFiles, HAS_ASSETS } from '../../support/assets.ts';
import { cpuTimer } from '../../support/cpu-time.ts';
import { IS_FULL_RUN, lawRuns } from '../../support/law-runs.ts';
import { bvhText, layouts, SMALL, writtenFiles } from './bvh-text.ts';
import { expectValidAsset } from './valid-asset.ts';

const WORDS = [
  ...['{', '}', 'nan', '-1.#IND', 'JOINT', 'CHANNELS 1000000', 'End Site', '1e999', 'MOTION', '\\r', '\\0', ''],
  ...['ROOT b', 'OFFSET', 'Frames: 99999999999', 'Frame Time: 0', 'CHANNELS 3 Xrotation Xrotation Yrotation', ':', '-'],
];

const NUMBERS = [
  '0',
  '-0',
  '1e30',
  '1e-300',
  '3.4e38',
  '-3.5e38',
  '99999999999',
  '.5',
  'inf',
  '2',
  '6',
  '0.001',
  '1e6',
  '5 6',
];

/** The text with another word for one of its numbers. */
function withNumber(text: string, at: number, word: string): string {
  const numbers = [...text.matchAll(/-?[\d.]+/g)];
  const found = numbers[at % Math.max(1, numbers.length)];
  return found === undefined ? text : text.slice(0, found.index) + word + text.slice(found.index + found[0].length);
}

/** The text with another channel for one of its channels. */
function withChannel(text: string, at: number, channel: string): string {
  const channels = [...text.matchAll(/[XYZ](rotation|position)/g)];
  const found = channels[at % Math.max(1, channels.length)];
  return found === undefined ? text : text.slice(0, found.index) + channel + text.slice(found.index + found[0].length);
}

const TWO_ROOTS =
  'HIERARCHY\nROOT a\n{\nOFFSET 0 9 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Zrotation Xrotation\n' +
  'JOINT b\n{\nOFFSET 0 1 0\nCHANNELS 1 Yposition\nEnd Site\n{\nOFFSET 1 0 0\n}\n}\n}\n' +
  'ROOT c\n{\nOFFSET 4 0 0\nCHANNELS 2 Yrotation Xposition\n}\n' +
  'MOTION\nFrames: 2\nFrame Time: 0.0333333\n0 9 0 10 20 30 1 5 4\n0 9 1 11 21 31 1 6 4\n';

/** Reads a text. Any error except a FormatError with a location, and any invalid asset, fails the test. */
function survives(text: string | Uint8Array): 'read' | 'refused' {
  try {
    expectValidAsset(readBvh(text));
    return 'read';
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    expect(error.code).toBe('BVH_SYNTAX');
    expect(error.where.line).toBeGreaterThan(0);
    expect(error.where.column).toBeGreaterThan(0);
    return 'refused';
  }
}

describe('parseBvh', () => {
  it('returns the same tree for any hierarchy in any layout', () => {
    fc.assert(
      fc.property(writtenFiles(), layouts, (written, layout) => {
        const tree = parseBvh(bvhText(written, layout));
        expect(tree.joints).toEqual(written.joints);
        expect(tree.channelCount).toBe(written.joints.reduce((sum, { channels }) => sum + channels.length, 0));
        expect(tree.motion!.frameTime).toBe(written.frameTime);
        expect(tree.motion!.frameCount).toBe(written.frames.length);
        expect(tree.motion!.values).toEqual(Float64Array.from(written.frames.flat()));
        expect(tree.issues).toEqual([]);
      }),
      { seed: 7, numRuns: lawRuns(500) },
    );
  });

  it('reads a text that ends after the hierarchy as a skeleton alone', () => {
    const tree = parseBvh(SMALL.slice(0, SMALL.indexOf('MOTION')));
    expect(tree.joints.map(({ name }) => name)).toEqual(['Hips', 'Right Leg', '', 'Head', '']);
    expect(tree.motion).toBeNull();
    expect(tree.issues).toEqual([]);
  });

  it('refuses non-BVH text, and reports the location and what was expected', () => {
    expect(() => parseBvh('')).toThrow('The text ends where HIERARCHY was expected');
    expect(() => parseBvh('glTF\u0002\u0000')).toThrow('Found "glTF" where HIERARCHY was expected');
    expect(() => parseBvh('HIERARCHY\nMOTION')).toThrow('Found "MOTION" where ROOT was expected');
  });

  it('throws a TypeError for bytes', () => {
    expect(() => parseBvh(new Uint8Array(3) as unknown as string)).toThrow(TypeError);
  });

  it('survives a cut at every byte of a small file', () => {
    const results = Array.from({ length: SMALL.length }, (_, end) => survives(SMALL.slice(0, end)));
    const firstFrame = SMALL.indexOf('0 91 2');
    expect(results.slice(0, SMALL.lastIndexOf('\n}\n')).every((result) => result === 'refused')).toBe(true);
    expect(results.slice(firstFrame).every((result) => result === 'read')).toBe(true);
  });

  it('survives mutations of small files and of serialized ones', () => {
    const lines = SMALL.split('\n');
    const texts = [SMALL, TWO_ROOTS, serializeBvh(parseBvh(SMALL)), SMALL.replaceAll('\n', '\r')];
    let read = 0;
    const edit = fc.record({ at: fc.nat(), kind: fc.nat({ max: 11 }), other: fc.nat(), byte: fc.nat({ max: 255 }) });
    const edits = fc.array(edit, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.constantFrom(...texts), edits, (start, list) => {
        let text = start;
        for (const { at, kind, other, byte } of list) {
          const i = at % (text.length + 1);
          const word = WORDS[other % WORDS.length]!;
          if (kind === 0) text = text.slice(0, i) + String.fromCharCode(byte) + text.slice(i + 1);
          if (kind === 1) text = text.slice(0, i) + text.slice(i + 1 + (other % 30));
          if (kind === 2) text = `${text.slice(0, i)} ${word} ${text.slice(i)}`;
          if (kind === 3) text = `${text.slice(0, i)}\n${lines[other % lines.length]}\n${text.slice(i)}`;
          if (kind === 4) text = text.replace(/\d+/, word);
          if (kind === 5)
            text = text
              .split('\n')
              .filter((_, line, all) => line !== i % all.length)
              .join('\n');
          if (kind === 6) text = text.slice(0, i) + text.slice(other % (text.length + 1));
          if (kind > 6 && kind < 10) text = withNumber(text, at, NUMBERS[other % NUMBERS.length]!);
          if (kind > 9) text = withChannel(text, at, BVH_CHANNELS[other % BVH_CHANNELS.length]!);
        }
        if (survives(text) === 'read') read++;
      }),
      { seed: 11, numRuns: lawRuns(5000) },
    );
    expect(read).toBeGreaterThan(lawRuns(300));
    expect(read).toBeLessThan(lawRuns(4500));
  });

  it('survives mutations of the bytes of a file in any encoding', () => {
    const wide = Uint8Array.from([0xff, 0xfe, ...Buffer.from(SMALL, 'utf16le')]);
    const files = [Buffer.from(SMALL), Buffer.from(`\ufeff${SMALL}`), wide, wide.slice().subarray(2)];
    let read = 0;
    const edit = fc.record({ at: fc.nat(), byte: fc.nat({ max: 255 }) });
    const edits = fc.array(edit, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.constantFrom(...files), edits, (file, list) => {
        const damaged = Uint8Array.from(file);
        for (const { at, byte } of list) damaged[at % damaged.length] = byte;
        if (survives(damaged) === 'read') read++;
      }),
      { seed: 12, numRuns: lawRuns(4000) },
    );
    expect(read).toBeGreaterThan(0.005 * lawRuns(4000));
  });

  it.runIf(IS_FULL_RUN)('reads 100,000 nested joints without recursion and in linear time', () => {
    const nested = (depth: number): string =>
      'HIERARCHY ROOT a\n{ OFFSET 0 0 0 CHANNELS 0\n' +
      'JOINT b\n{ OFFSET 0 1 0 CHANNELS 1 Xrotation\n'.repeat(depth) +
      '}'.repeat(depth + 1) +
      `MOTION Frames: 2 Frame Time: 1\n${'9 '.repeat(depth * 2)}`;
    const spent = cpuTimer();
    const tree = parseBvh(nested(100_000));
    expect(spent()).toBeLessThan(2000);
    expect(tree.joints.length).toBe(100_001);
    expect(tree.joints.at(-1)!.parent).toBe(99_999);
    expect(tree.motion!.frameCount).toBe(2);
    expect(survives(nested(100_000).slice(0, -250_000))).toBe('read');
    expect(survives('HIERARCHY ROOT a { OFFSET 0 0 0 '.repeat(50_000))).toBe('refused');
    expect(survives(`HIERARCHY ROOT a { OFFSET 0 0 0 ${'JOINT b { OFFSET 0 0 0 '.repeat(100_000)}`)).toBe('refused');
  });

  it('takes linear time on one endless word', () => {
    const spent = cpuTimer();
    for (const letter of ['1', '-', '.', 'e', 'a', '1.', '{', '1e']) {
      const word = letter.repeat(500_000);
      survives(word);
      survives(SMALL.replace('90.5', word));
      survives(SMALL.replace('Right Leg', word));
      survives(SMALL.replace('.04', word));
      survives(SMALL.replace('92', word));
      survives(`${SMALL}${word}`);
      survives(`${SMALL}${word} x`);
    }
    expect(spent()).toBeLessThan(5000);
  });
});

describe.skipIf(!HAS_ASSETS)('parseBvh on third-party files', () => {
  const files = assetFiles('assets/bvh', 'bvh');

  it('reads every number and joint, without issues', () => {
    expect(files.length).toBeGreaterThanOrEqual(7);
    for (const file of files) {
      const text = readFileSync(file, 'utf8');
      const tree = parseBvh(text);
      const numbers = text
        .slice(text.search(/Frame Time:/))
        .split(/\s+/)
        .filter(Boolean)
        .slice(3)
        .map(Number);
      expect(tree.issues).toEqual([]);
      // `toEqual` takes seconds for files with many frames.
      expect(isDeepStrictEqual(tree.motion!.values, Float64Array.from(numbers))).toBe(true);
      expect(tree.joints.filter(({ kind }) => kind === 'end').length).toBe((text.match(/End Site/gi) ?? []).length);
      expect(tree.joints.filter(({ kind }) => kind === 'joint').length).toBe((text.match(/JOINT\s/g) ?? []).length);
    }
  });

  it('survives 300 cuts, most of them in the hierarchy', () => {
    for (const file of files) {
      const text = readFileSync(file, 'utf8');
      const header = text.indexOf('MOTION');
      for (let k = 1; k <= 300 / files.length; k++) {
        const part = ((k * 7919) % 1000) / 1000;
        survives(text.slice(0, k % 4 === 0 ? Math.floor(text.length * part) : Math.floor((header + 60) * part)));
      }
    }
  });

  it('parses a file of 1.5 MB in well under 100 ms', () => {
    const text = readFileSync(files.find((file) => file.includes('rokoko'))!, 'utf8');
    const runs = Array.from({ length: 5 }, () => {
      const spent = cpuTimer();
      parseBvh(text);
      return spent();
    });
    expect(Math.min(...runs)).toBeLessThan(80);
  });
});
