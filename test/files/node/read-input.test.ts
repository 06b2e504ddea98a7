import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { readInput, readInputSync, resourcePaths, resourceReader } from '../../../src/files/node/read-input.ts';
import { temporaryFolder } from '../../support/make/demo-files.ts';

const at = temporaryFolder();

beforeAll(() => {
  mkdirSync(at('home/textures'), { recursive: true });
  mkdirSync(at('home2'));
  writeFileSync(at('home/a.gltf'), '{}');
  writeFileSync(at('home/a.bin'), 'inside');
  writeFileSync(at('home/textures/skin.png'), 'deep');
  writeFileSync(at('home2/secret.bin'), 'secret');
  writeFileSync(at('secret.bin'), 'secret');
  symlinkSync('../secret.bin', at('home/link.bin'));
  symlinkSync('..', at('home/up'));
  symlinkSync('textures/skin.png', at('home/inner.bin'));
  symlinkSync(at('home'), at('alias'));
  symlinkSync('round.bin', at('home/round.bin'));
});

describe('readInput', () => {
  it('reads a file asynchronously and synchronously', async () => {
    expect(Buffer.from(await readInput(at('home/a.bin'))).toString()).toBe('inside');
    expect(Buffer.from(readInputSync(at('home/a.bin'))).toString()).toBe('inside');
  });

  it.each([
    ['none.glb', 'does not exist'],
    ['home', 'is a folder'],
    ['home/a.bin/b.glb', 'is a file, not a folder'],
    ['home/round.bin', 'cycle'],
  ])('throws a FormatError with the reason for %s', async (name, reason) => {
    const expected = { code: 'FILE_NOT_FOUND', message: expect.stringContaining(reason) };
    await expect(readInput(at(name))).rejects.toMatchObject(expected);
    expect(() => readInputSync(at(name))).toThrow(expect.objectContaining(expected));
  });
});

describe('resourceReader', () => {
  const read = async (name: string, file = at('home/a.gltf')): Promise<string> => {
    return Buffer.from(await resourceReader(file)(name)).toString();
  };

  it('reads files in the folder of the asset and its subfolders, also through links that stay inside', async () => {
    expect(await read('a.bin')).toBe('inside');
    expect(await read('textures/skin.png')).toBe('deep');
    expect(await read('inner.bin')).toBe('deep');
  });

  it('follows a link to the folder itself, because the user named it', async () => {
    expect(await read('a.bin', at('alias/a.gltf'))).toBe('inside');
  });

  it.each(['link.bin', 'up/secret.bin', '../secret.bin', '../home2/secret.bin', 'textures/../../secret.bin'])(
    'throws for a file outside of the folder: %s',
    async (name) => {
      await expect(read(name)).rejects.toMatchObject({ code: 'GLTF_URI_REFUSED', where: { resource: name } });
    },
  );

  it('reads from the allowed root folder, but not from its siblings', async () => {
    const read = resourceReader(at('home/a.gltf'), at('home2'));
    expect(Buffer.from(await read('../home2/secret.bin')).toString()).toBe('secret');
    expect(Buffer.from(await read(at('home2/secret.bin'))).toString()).toBe('secret');
    expect(Buffer.from(await read('a.bin')).toString()).toBe('inside');
    await expect(read('../secret.bin')).rejects.toMatchObject({ code: 'GLTF_URI_REFUSED' });
    await expect(resourceReader(at('home/a.gltf'), at('none'))('a.bin')).rejects.toThrow('does not exist');
  });

  it.each([
    ['nothing.bin', 'does not exist'],
    ['textures', 'not a regular file'],
    ['round.bin', 'cycle'],
  ])('throws with the reason why %s cannot be read', async (name, reason) => {
    await expect(read(name)).rejects.toThrow(reason);
  });

  it.skipIf(process.platform === 'win32')('rejects named pipes instead of waiting for them', async () => {
    execFileSync('mkfifo', [at('home/pipe.bin')]);
    await expect(read('pipe.bin')).rejects.toThrow('not a regular file');
  });
});

it('resourcePaths: resolves paths relative to the folder of the file', () => {
  expect(resourcePaths('a/b.gltf', ['c.bin', 'd/e.png'])).toEqual(['a/c.bin', 'a/d/e.png']);
});
