import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { InputError, UsageError } from '../../../src/cli/errors/cli-errors.ts';
import { expandInputs, expandSingleInput } from '../../../src/cli/inputs/expand-inputs.ts';
import { temporaryFolder } from '../../support/make/demo-files.ts';

const at = temporaryFolder();
mkdirSync(at('m/sub'), { recursive: true });
mkdirSync(at('empty'));
for (const name of ['walk.fbx', 'idle.BVH', 'a[1].fbx', 'a1.fbx', 'skin.png', 'hero.glb', 'sub/run.fbx']) {
  writeFileSync(at('m', name), '');
}

const expand = async (args: string[], output = at('out.glb'), except: string[] = []): Promise<string[]> => {
  const { files } = await expandInputs(args, { output, except });
  return files.map((path) => path.replace(`${at('m')}/`, ''));
};

describe('expandInputs', () => {
  it('replaces a folder by its files with known extensions, sorted, without those of subfolders', async () => {
    expect(await expand([at('m')])).toEqual(['a1.fbx', 'a[1].fbx', 'hero.glb', 'idle.BVH', 'walk.fbx']);
    expect(await expand([`${at('m')}/**`])).toContain('sub/run.fbx');
  });

  it('takes a path that exists literally, also with the characters of patterns', async () => {
    expect(await expand([at('m/a[1].fbx')])).toEqual(['a[1].fbx']);
    expect(await expand([at('m/a[12].fbx')])).toEqual(['a1.fbx']);
    mkdirSync(at('m/set[1]'));
    writeFileSync(at('m/set[1]/turn.bvh'), '');
    expect(await expand([at('m/set[1]'), at('m/set[1]/*.bvh')])).toEqual(['set[1]/turn.bvh', 'set[1]/turn.bvh']);
    expect(await expand([at('m/skin.png'), at('m/gone.fbx')])).toEqual(['skin.png', 'gone.fbx']);
  });

  it('leaves out the character, and outputs of earlier runs, which are returned', async () => {
    expect(await expand([at('m/*.{fbx,glb}')], at('out.glb'), [at('m/hero.glb')])).not.toContain('hero.glb');
    const options = { output: at('m/{file}.fbx'), except: [at('m/hero.glb')] };
    const { files, outputs } = await expandInputs([at('m')], options);
    expect(files).toEqual([at('m/idle.BVH')]);
    expect(outputs).toEqual([at('m/a1.fbx'), at('m/a[1].fbx'), at('m/walk.fbx')]);
    expect(await expand([at('m/*.glb'), at('m/walk.fbx')], at('m/x.glb'))).toEqual(['hero.glb', 'walk.fbx']);
  });

  it('reads lists of paths, patterns and folders, in UTF-8 and UTF-16', async () => {
    const text = `# motions\r\n${at('m/walk.fbx')}\r\n\r\n  ${at('m/a?.fbx')}\r\n`;
    writeFileSync(at('list.txt'), text);
    writeFileSync(at('list16.txt'), Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(text, 'utf16le')]));
    const listed = ['walk.fbx', 'a1.fbx'];
    expect(await expand([`@${at('list.txt')}`, `@${at('list16.txt')}`])).toEqual([...listed, ...listed]);
    await expect(expand([`@${at('gone.txt')}`])).rejects.toThrow(InputError);
  });

  it.each([
    [
      'a pattern',
      'm/*.usdz',
      /The pattern .*\*\.usdz matches no file with an extension that anyrig reads: \.glb, .+ or \.\w+\.$/,
    ],
    ['an empty folder', 'empty', /The folder .*empty contains no file/],
  ])('throws for %s without files', async (_, arg, message) => {
    await expect(expand([at(arg)])).rejects.toThrow(message);
  });

  it('throws when all files are outputs, and says so', async () => {
    await expect(expand([at('m/*.fbx')], at('m/{clip}.fbx'))).rejects.toThrow(/writes .*another folder/);
  });
});

describe('expandSingleInput', () => {
  it('returns the only file of a pattern, and other arguments unchanged', () => {
    expect(expandSingleInput(at('m/h*.glb'))).toBe(at('m/hero.glb'));
    expect(expandSingleInput(at('m/a[1].fbx'))).toBe(at('m/a[1].fbx'));
    expect(expandSingleInput('gone.glb')).toBe('gone.glb');
  });

  it('throws for a pattern of several files or of none', () => {
    expect(() => expandSingleInput(at('m/*.fbx'))).toThrow(UsageError);
    expect(() => expandSingleInput(at('m/*.fbx'))).toThrow(/matches 3 files \(.*\); expected one file/);
    expect(() => expandSingleInput(at('m/*.vrm'))).toThrow(InputError);
  });
});
