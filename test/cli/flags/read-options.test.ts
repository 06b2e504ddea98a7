import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { InputError, UsageError } from '../../../src/cli/errors/cli-errors.ts';
import { readExtraPairs, readHumanoidOptions, readInputOptions } from '../../../src/cli/flags/read-options.ts';
import { temporaryFolder, writeDemo } from '../../support/make/demo-files.ts';

const at = temporaryFolder();
const NONE = { map: undefined, skeleton: undefined, pose: undefined };

describe('readInputOptions', () => {
  it('accepts only folders', () => {
    expect(readInputOptions(undefined)).toEqual({});
    expect(readInputOptions(at())).toEqual({ assetRoot: at() });
    writeFileSync(at('file'), '');
    for (const path of [at('none'), at('file'), at('file/below'), '']) {
      expect(() => readInputOptions(path)).toThrow(UsageError);
      expect(() => readInputOptions(path)).toThrow(/expected a folder/);
    }
  });
});

describe('readHumanoidOptions', () => {
  it('returns no options without flags', async () => {
    expect(await readHumanoidOptions(NONE, {})).toEqual({});
  });

  it('reads maps and poses', async () => {
    writeFileSync(at('map.json'), '{"bones":{"hips":3}}');
    expect(await readHumanoidOptions({ map: at('map.json'), skeleton: 'a', pose: 'bind' }, {})).toEqual({
      map: { hips: 3 },
      skeleton: 'a',
      pose: 'bind',
    });
    expect(await readHumanoidOptions({ ...NONE, pose: 'frame:12' }, {})).toEqual({ pose: { frame: 12 } });
    const { pose } = await readHumanoidOptions({ ...NONE, pose: writeDemo(at, 'giant.glb') }, {});
    expect(pose).toMatchObject({ file: { name: at('giant.glb') } });
    expect(pose).not.toHaveProperty('exact');
    expect((await readHumanoidOptions({ ...NONE, pose: `exact:${at('giant.glb')}` }, {})).pose).toMatchObject({
      file: { name: at('giant.glb') },
      exact: true,
    });
  });

  it.each(['frame:', 'frame:-1', 'frame:1.5', 'frame:x'])('refuses the pose %s', async (pose) => {
    await expect(readHumanoidOptions({ ...NONE, pose }, {})).rejects.toThrow(UsageError);
  });

  it('names the unreadable file', async () => {
    for (const flags of [{ map: at('none') }, { pose: at('none') }]) {
      await expect(readHumanoidOptions({ ...NONE, ...flags }, {})).rejects.toThrow(InputError);
      await expect(readHumanoidOptions({ ...NONE, ...flags }, {})).rejects.toMatchObject({ file: at('none') });
    }
  });
});

describe('readExtraPairs', () => {
  it('reads the pairs of a file of pairs and of a bone map; null without', () => {
    writeFileSync(at('extra.json'), '{ "extra": { "Weapon.R": "sword" } }');
    expect(readExtraPairs(at('extra.json'))).toEqual({ 'Weapon.R': 'sword' });
    writeFileSync(at('extra.json'), '{ "bones": {} }');
    expect(readExtraPairs(at('extra.json'))).toBe(null);
  });

  it.each(['{', '{ "extra": 3 }', '{ "extra": { "a": 3 } }'])('refuses %s', (text) => {
    writeFileSync(at('wrong.json'), text);
    expect(() => readExtraPairs(at('wrong.json'))).toThrow(InputError);
  });
});
