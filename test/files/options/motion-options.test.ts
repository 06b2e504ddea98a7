import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { optionsPage } from '../../../scripts/options-page.ts';
import { expectedText } from '../../../src/cli/flags/motion-flags.ts';
import { convertFile } from '../../../src/files/jobs/convert-file.ts';
import { extractMotions } from '../../../src/files/jobs/extract-motions.ts';
import { retargetClips } from '../../../src/files/jobs/retarget-clips.ts';
import { retargetMotions } from '../../../src/files/jobs/retarget-motions.ts';
import {
  checkMotionOptions,
  isOptionValue,
  jobOptionsOf,
  MOTION_DEFAULTS,
  MOTION_OPTIONS,
  type MotionOptions,
  motionValuesOf,
  type OptionRow,
  optionArguments,
  parseOptionValue,
} from '../../../src/files/options/motion-options.ts';
import { openDemo } from '../../support/make/demo-files.ts';

const ROWS = Object.entries<OptionRow>(MOTION_OPTIONS);

/** Values that an option takes. */
function valuesOf({ type }: OptionRow): fc.Arbitrary<unknown> {
  if (type.kind === 'flag') return fc.boolean();
  if (type.kind === 'choice') return fc.constantFrom(...type.values);
  if (type.kind === 'seconds')
    return fc.oneof(fc.constant({ from: 0.5 }), fc.constant({ to: 2 }), fc.constant({ from: 1, to: 1.5 }));
  if (type.kind === 'pairs') return fc.constantFrom({ tail: 'Tail' }, { 'Weapon.R': 'sword', tail_1: 'Tail 1' });
  const words = (type.words ?? []).map((word) => fc.constant<unknown>(word));
  return fc.oneof(
    fc.double({ min: Math.max(type.least, -90) + 0.25, max: Math.min(type.most, 30), noNaN: true }),
    ...words,
  );
}

const someOptions = fc
  .record(Object.fromEntries(ROWS.map(([name, row]) => [name, fc.option(valuesOf(row), { nil: undefined })])))
  .map((values) => values as Partial<MotionOptions>);

describe('the table of options', () => {
  it('a default is a value of its option, or none', () => {
    const wrong = ROWS.filter(([, row]) => row.default !== null && !isOptionValue(row, row.default));
    expect(wrong).toEqual([]);
    expect(jobOptionsOf(MOTION_DEFAULTS)).toEqual({});
    expect(optionArguments(MOTION_DEFAULTS)).toEqual([]);
  });

  it('any values are valid options of a job, and are read back from them', () => {
    fc.assert(
      fc.property(someOptions, (values) => {
        const options = jobOptionsOf(values);
        checkMotionOptions(options);
        expect(jobOptionsOf(motionValuesOf(options))).toEqual(options);
      }),
    );
  });

  it('the text of an argument is parsed as its value', () => {
    fc.assert(
      fc.property(someOptions, (values) => {
        const args = optionArguments(values);
        for (const [name, row] of ROWS) {
          const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
          const at = args.indexOf(flag);
          if (at < 0 || (row.type.kind === 'flag' && row.type.words === undefined)) continue;
          expect(parseOptionValue(row, args[at + 1])).toEqual(values[name as keyof MotionOptions]);
        }
      }),
    );
  });
});

describe('parseOptionValue', () => {
  it('reads both ends of a trim, or one', () => {
    expect(['0.5:2', '1:', ':2'].map((text) => parseOptionValue(MOTION_OPTIONS.trim, text))).toEqual([
      { from: 0.5, to: 2 },
      { from: 1 },
      { to: 2 },
    ]);
  });

  it.each<[keyof MotionOptions, readonly string[], RegExp]>([
    ['trim', ['', ':', '1', '2:1', '1:1', 'a:b', '-1:2', '1:2:3', '1:Infinity'], /A:B/],
    ['speed', ['0', '-1', 'fast', '1001'], /a number above 0, up to 1000/],
    ['reduce', ['0', '90', ' '], /degrees above 0, up to 30/],
    ['fps', ['', ' ', '0', '-3', 'x', 'Infinity', '1001', '30fps'], /a number above 0, up to 1000/],
    ['hipsScale', ['', ' ', '-0.1', 'x', 'Infinity', 'AUTO'], /hips, legs, stature, none or a number of at least 0/],
    ['armSpace', ['91', '-91', 'wide'], /auto or degrees from -90 to 90/],
    ['contacts', ['on', 'AUTO', ''], /auto, lock, ground, off/],
    ['hands', ['auto', 'true'], /keep or off/],
    ['extra', ['', 'sword', 'a=', 'a=b=c'], /Weapon\.R=sword/],
    ['keys', ['cubic'], /linear or exact/],
  ])('%s takes none of %j', (name, texts, expected) => {
    const row: OptionRow = MOTION_OPTIONS[name];
    expect(texts.filter((text) => parseOptionValue(row, text) !== undefined)).toEqual([]);
    expect(expectedText(row)).toMatch(expected);
  });
});

it('docs/options.md is what the table makes it (npx tsx scripts/options-page.ts)', () => {
  expect(readFileSync('docs/options.md', 'utf8')).toBe(optionsPage());
});

describe('checkMotionOptions', () => {
  it.each([
    [{ edits: { sped: 2 } }, 'There is no option edits.sped; did you mean edits.speed?'],
    [{ edits: 5 }, 'edits is 5; expected an object of options'],
    [{ channels: ['scale'] }, 'channels is ["scale"]; expected an object of options'],
    [{ channels: { twists: true } }, 'There is no option channels.twists; did you mean channels.twist?'],
    [{ contact: 'off' }, 'There is no option contact; did you mean contacts?'],
    [{ contacts: 'locked' }, 'contacts is "locked"; expected auto, lock, ground, off'],
    [{ edits: { mirror: 'yes' } }, 'edits.mirror is "yes"; expected true or false'],
    [{ hands: 'off' }, 'hands is "off"; expected true or false'],
    [
      { edits: { trim: 5 } },
      'edits.trim is 5; expected seconds as { "from": A, "to": B } or one of both, with A before B',
    ],
    [{ edits: { trim: [1, 2] } }, 'edits.trim is [1,2]; expected seconds as {'],
    [{ edits: { trim: { start: 1 } } }, 'edits.trim is {"start":1}; expected seconds as {'],
    [{ edits: { trim: { from: 2, to: 1 } } }, 'edits.trim is {"from":2,"to":1}; expected seconds as {'],
    [
      { extra: { a: 1 } },
      'extra is {"a":1}; expected names by names such as { "Weapon.R": "sword", "tail_1": "Tail1" }',
    ],
    [{ extra: 'a=b' }, 'extra is "a=b"; expected names by names such as {'],
    [{ keys: 'exact' }, 'There is no option keys; did you mean edits.keys?'],
    [{ armSpace: 400 }, 'armSpace is 400; expected auto or degrees from -90 to 90'],
  ])('%j is refused', (options, message) => {
    expect(() => checkMotionOptions(options)).toThrow(message);
  });

  it('every job refuses options that do not exist', async () => {
    const [walk, hero] = await Promise.all(['walk.glb', 'giant.glb'].map(openDemo));
    const wrong = { output: 'a.glb', edits: { sped: 2 } } as object as { output: string; contacts: 'off' };
    await expect(retargetMotions([walk], hero, wrong)).rejects.toThrow(/edits\.sped/);
    await expect(retargetClips([walk], hero, wrong)).rejects.toThrow(/edits\.sped/);
    await expect(extractMotions([walk], wrong)).rejects.toThrow(/edits\.sped/);
    await expect(convertFile(walk, wrong)).rejects.toThrow(/edits\.sped/);
  });
});
