import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { writeFilesSync } from '../../../src/files/node/write-files.ts';
import { OutputError } from '../../../src/files/outputs/output-error.ts';
import { temporaryFolder } from '../../support/make/demo-files.ts';

const at = temporaryFolder();
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

function folder(name: string): (...parts: string[]) => string {
  mkdirSync(at(name), { recursive: true });
  return (...parts) => at(name, ...parts);
}

function errorOf(job: () => void): OutputError {
  try {
    job();
  } catch (error) {
    expect(error).toBeInstanceOf(OutputError);
    return error as OutputError;
  }
  throw new Error('nothing was thrown');
}

describe('writeFilesSync', () => {
  it('writes the parts in order, creates folders and leaves no other files behind', () => {
    const here = folder('parts');
    writeFilesSync([
      { path: here('deep/er/a.bin'), parts: [bytes(1, 2), bytes(), bytes(3)] },
      { path: here('b.gltf'), parts: [] },
    ]);
    expect([...readFileSync(here('deep/er/a.bin'))]).toEqual([1, 2, 3]);
    expect(readFileSync(here('b.gltf')).length).toBe(0);
    expect(readdirSync(here(), { recursive: true }).sort()).toEqual(['b.gltf', 'deep', 'deep/er', 'deep/er/a.bin']);
  });

  it('writes more parts than one system call accepts', () => {
    const here = folder('many');
    const parts = Array.from({ length: 5000 }, (_, k) => bytes(k & 255, k >> 8));
    writeFilesSync([{ path: here('a.glb'), parts }]);
    expect(readFileSync(here('a.glb')).equals(Buffer.concat(parts))).toBe(true);
  });

  it('throws for an existing file, and writes none of the others', () => {
    const here = folder('refused');
    writeFileSync(here('a.gltf'), 'old');
    const error = errorOf(() =>
      writeFilesSync([
        { path: here('a.bin'), parts: [bytes(1)] },
        { path: here('a.gltf'), parts: [bytes(2)] },
      ]),
    );
    expect(error.code).toBe('OVERWRITE_REFUSED');
    expect(error.path).toBe(here('a.gltf'));
    expect(error.message).toContain('the option force');
    expect(readdirSync(here())).toEqual(['a.gltf']);
    expect(readFileSync(here('a.gltf'), 'utf8')).toBe('old');
  });

  it('throws for a dangling link', () => {
    const here = folder('dangling');
    symlinkSync(here('nothing'), here('a.glb'));
    expect(errorOf(() => writeFilesSync([{ path: here('a.glb'), parts: [] }])).code).toBe('OVERWRITE_REFUSED');
  });

  it('replaces files with `force`, also the input', () => {
    const here = folder('force');
    writeFileSync(here('a.glb'), 'old');
    writeFilesSync([{ path: here('a.glb'), parts: [utf8('new')] }], { force: true, inputs: [here('a.glb')] });
    expect(readFileSync(here('a.glb'), 'utf8')).toBe('new');
  });

  it('throws when a dependency would replace an input, by any path', () => {
    const here = folder('inputs');
    mkdirSync(here('real'));
    writeFileSync(here('real/walk.bin'), 'motion');
    symlinkSync(here('real'), here('link'));
    const outputs = [
      { path: here('link/walk.bin'), parts: [utf8('other!')] },
      { path: here('link/walk.gltf'), parts: [utf8('{}')] },
    ];
    const error = errorOf(() => writeFilesSync(outputs, { force: true, inputs: [here('real/walk.bin')] }));
    expect(error.code).toBe('OVERWRITE_REFUSED');
    expect(readFileSync(here('real/walk.bin'), 'utf8')).toBe('motion');
    expect(existsSync(here('real/walk.gltf'))).toBe(false);
  });

  it('skips dependencies that exist with the same content', () => {
    const here = folder('same');
    writeFileSync(here('skin.png'), 'picture');
    utimesSync(here('skin.png'), 1000, 1000);
    writeFilesSync([
      { path: here('skin.png'), parts: [utf8('pict'), utf8('ure')] },
      { path: here('a.gltf'), parts: [utf8('{}')] },
    ]);
    expect(statSync(here('skin.png')).mtimeMs).toBe(1_000_000);
    writeFileSync(here('skin.png'), 'PICTURE');
    const again = [
      { path: here('skin.png'), parts: [utf8('picture')] },
      { path: here('b.gltf'), parts: [utf8('{}')] },
    ];
    expect(errorOf(() => writeFilesSync(again)).path).toBe(here('skin.png'));
  });

  it('throws for an existing main output even with the same content', () => {
    const here = folder('again');
    writeFileSync(here('a.glb'), 'same');
    expect(errorOf(() => writeFilesSync([{ path: here('a.glb'), parts: [utf8('same')] }])).code).toBe(
      'OVERWRITE_REFUSED',
    );
  });

  it('writes a dependency of several outputs once', () => {
    const here = folder('shared');
    const image = (): { path: string; parts: Uint8Array[] } => ({ path: here('skin.png'), parts: [bytes(1, 2)] });
    const clip = (name: string): { path: string; parts: Uint8Array[] } => ({ path: here(name), parts: [utf8(name)] });
    writeFilesSync([image(), clip('a.usda'), image(), clip('b.usda')]);
    expect(readdirSync(here()).sort()).toEqual(['a.usda', 'b.usda', 'skin.png']);
    const other = { path: here('skin.png'), parts: [bytes(1, 3)] };
    const options = { force: true };
    expect(errorOf(() => writeFilesSync([image(), clip('a.usda'), other, clip('b.usda')], options)).message).toMatch(
      /twice/,
    );
  });

  it('never replaces an input that is still to be read, also not with `force`', () => {
    const here = folder('unread');
    writeFileSync(here('next.glb'), 'next');
    symlinkSync(here('next.glb'), here('link.glb'));
    const options = { force: true, inputs: [here('next.glb')], unread: [here('link.glb')] };
    const error = errorOf(() => writeFilesSync([{ path: here('next.glb'), parts: [utf8('x')] }], options));
    expect([error.code, error.path]).toEqual(['OVERWRITE_REFUSED', here('next.glb')]);
    expect(readFileSync(here('next.glb'), 'utf8')).toBe('next');
    writeFilesSync([{ path: here('other.glb'), parts: [utf8('x')] }], options);
    writeFilesSync([{ path: here('next.glb'), parts: [utf8('x')] }], { ...options, unread: [] });
    expect(readFileSync(here('next.glb'), 'utf8')).toBe('x');
  });

  it('throws for two outputs with the same path', () => {
    const here = folder('twice');
    const path = here('a.glb');
    const outputs = [path, here('./a.glb')].map((one, k) => ({ path: one, parts: [bytes(k)] }));
    expect(errorOf(() => writeFilesSync(outputs)).message).toContain('twice');
    expect(readdirSync(here())).toEqual([]);
  });

  it('throws for a folder at the path, and for a path through a file', () => {
    const here = folder('ways');
    mkdirSync(here('a.glb'));
    writeFileSync(here('file'), '');
    const inTheWay = errorOf(() => writeFilesSync([{ path: here('a.glb'), parts: [] }], { force: true }));
    expect([inTheWay.code, inTheWay.message]).toEqual(['CANNOT_WRITE', expect.stringContaining('is a folder')]);
    const through = errorOf(() => writeFilesSync([{ path: here('file/b.glb'), parts: [] }]));
    expect([through.code, through.message]).toEqual(['CANNOT_WRITE', expect.stringContaining('not a folder')]);
  });

  it('removes all files when a later one cannot be written', () => {
    const here = folder('back');
    symlinkSync(here('nowhere'), here('link'));
    const outputs = [
      { path: here('a.bin'), parts: [bytes(1)] },
      { path: here('link/b.glb'), parts: [bytes(2)] },
    ];
    const error = errorOf(() => writeFilesSync(outputs));
    expect([error.code, error.path]).toEqual(['CANNOT_WRITE', here('link/b.glb')]);
    expect(readdirSync(here())).toEqual(['link']);
  });

  it('removes all files when one cannot be renamed', () => {
    const here = folder('rename');
    const outputs = [
      { path: here('first.bin'), parts: [bytes(1)] },
      { path: here('a'), parts: [bytes(2)] },
      { path: here('a/b.glb'), parts: [bytes(3)] },
    ];
    expect(errorOf(() => writeFilesSync(outputs)).code).toBe('CANNOT_WRITE');
    expect(readdirSync(here(), { recursive: true })).toEqual(['a']);
  });

  it.skipIf(process.getuid?.() === 0)('throws for a folder without write permission', () => {
    const here = folder('closed');
    chmodSync(here(), 0o555);
    expect(errorOf(() => writeFilesSync([{ path: here('a.glb'), parts: [] }])).message).toContain('permission');
    chmodSync(here(), 0o755);
  });

  it('leaves no temporary file when a name is too long', () => {
    const here = folder('long');
    const outputs = [
      { path: here('a.bin'), parts: [bytes(1)] },
      { path: here(`${'x'.repeat(300)}.glb`), parts: [bytes(2)] },
    ];
    const error = errorOf(() => writeFilesSync(outputs));
    expect([error.code, error.message]).toEqual(['CANNOT_WRITE', expect.stringContaining('too long')]);
    expect(readdirSync(here())).toEqual([]);
  });
});
