import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/cli/errors/cli-errors.ts';
import { readEditOptions, readRetargetOptions } from '../../../src/cli/flags/motion-flags.ts';
import { temporaryFolder } from '../../support/make/demo-files.ts';
import { runHere } from '../run-here.ts';

const at = temporaryFolder();

/** Flags as they were typed; true stands for a flag without value, false for its `no-` form. */
function typed(args: Readonly<Record<string, string | boolean>>): [typeof args, Map<string, readonly string[]>] {
  return [args, new Map(Object.keys(args).map((name) => [name, ['']]))];
}
const read = (args: Readonly<Record<string, string | boolean>>) => readRetargetOptions(...typed(args), {});

function preset(name: string, content: object | string): string {
  writeFileSync(at(name), typeof content === 'string' ? content : JSON.stringify(content));
  return at(name);
}

describe('readEditOptions', () => {
  it('gives no options without flags, whatever their defaults', () => {
    expect(readEditOptions({ mirror: false, loop: undefined }, new Map())).toEqual({});
  });

  it('reads every edit', () => {
    const args = { trim: '0.5:2', speed: '1.5', mirror: true, loop: true, reduce: '0.25', fps: '30' };
    expect(readEditOptions(...typed(args))).toEqual({
      edits: { trim: { from: 0.5, to: 2 }, speed: 1.5, mirror: true, loop: true, reduce: 0.25 },
      fps: 30,
    });
  });

  it('names the flag and the expected value', () => {
    expect(() => readEditOptions(...typed({ speed: 'fast' }))).toThrow(UsageError);
    expect(() => readEditOptions(...typed({ speed: 'fast' }))).toThrow(
      '--speed is "fast"; expected a number above 0, up to 1000',
    );
  });
});

describe('readRetargetOptions', () => {
  it('reads flags into the places of their options', async () => {
    expect(await read({ 'hips-scale': 'legs', twist: false, hands: 'off', 'arm-space': 'auto', face: false })).toEqual({
      channels: { hipsScale: 'legs', twist: false },
      hands: false,
      armSpace: 'auto',
      face: false,
      source: {},
      target: {},
    });
  });

  it.each(['arm-space', 'leg-space', 'hands'])('refuses --%s without contacts', async (flag) => {
    const args = { contacts: 'off', [flag]: flag === 'hands' ? 'off' : '5' };
    await expect(read(args)).rejects.toThrow(`--${flag} has no effect with --contacts off`);
  });

  it('reads pairs of extra bones as they are typed and from a file', async () => {
    expect(await read({ extra: 'Weapon.R=sword, tail 1=Tail_1' })).toMatchObject({
      extra: { 'Weapon.R': 'sword', 'tail 1': 'Tail_1' },
    });
    const file = preset('extra.json', { extra: { a: 'b' } });
    expect(await read({ extra: file })).toMatchObject({ extra: { a: 'b' } });
  });

  it.each(['sword', 'a=b=c', '=b', 'a=b,'])('refuses the extra bones %j with an example', async (extra) => {
    await expect(read({ extra })).rejects.toThrow(
      `--extra is "${extra}"; expected pairs of names such as Weapon.R=sword,tail_1=Tail1`,
    );
  });

  it('takes extra bones of both maps and of a preset; what is closer to the motion overrides', async () => {
    const source = preset('source.json', { bones: {}, extra: { tail: 'Tail', ear: 'Ear' } });
    const target = preset('target.json', { bones: {}, extra: { ear: 'Ear_L', sword: 'Sword' } });
    const file = preset('extra-preset.json', { extra: { sword: 'Blade' } });
    const args = { 'source-map': source, 'target-map': target };
    expect(await read({ ...args, preset: file })).toMatchObject({
      extra: { tail: 'Tail', ear: 'Ear_L', sword: 'Blade' },
    });
    expect(await read({ ...args, extra: 'sword=Axe' })).toMatchObject({ extra: { sword: 'Axe' } });
  });

  it('takes what a preset says, unless a flag says something else', async () => {
    mkdirSync(at('presets'), { recursive: true });
    writeFileSync(at('map.json'), '{"bones":{"hips":3}}');
    const file = preset('presets/wide.json', {
      armSpace: 12,
      face: false,
      edits: { mirror: true, speed: 2 },
      source: { map: '../map.json', pose: 'frame:4' },
      target: { map: { hips: 'Pelvis' }, skeleton: 1 },
    });
    expect(await read({ preset: file, speed: '3', mirror: false, 'source-pose': 'bind' })).toEqual({
      armSpace: 12,
      face: false,
      edits: { speed: 3 },
      source: { map: { hips: 3 }, pose: 'bind' },
      target: { map: { hips: 'Pelvis' }, skeleton: '1' },
    });
  });

  it.each<[object | string, RegExp]>([
    ['{', /is not JSON/],
    ['[]', /no object at its root/],
    [{ edits: { sped: 2 } }, /no option edits\.sped; did you mean edits\.speed/],
    [{ contacts: 'locked' }, /contacts is "locked"/],
    [{ source: { file: 'a' } }, /unknown field "source\.file"; expected map, skeleton, pose/],
    [{ target: { pose: 3 } }, /"target\.pose": 3; expected text/],
  ])('refuses the preset %j', async (content, message) => {
    const file = preset('wrong.json', content);
    await expect(read({ preset: file })).rejects.toThrow(UsageError);
    await expect(read({ preset: file })).rejects.toThrow(message);
  });
});

it('anyrig retarget --help lists every option of the table with its text', async () => {
  const { stdout } = await runHere(['retarget', '--help']);
  const text = stdout.replace(/\s+/g, ' ');
  for (const part of [
    '--trim <A:B>',
    '--hips-scale <SCALE>',
    '--no-twist',
    '--hands <MODE>',
    '--preset <FILE>',
    '--fps <N>',
  ])
    expect(text).toContain(part);
});
