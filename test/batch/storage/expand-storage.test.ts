import { afterAll, beforeAll, expect, it } from 'vitest';
import { expandStorage } from '../../../src/batch/storage/expand-storage.ts';
import { BUCKET, type S3Server, startS3, useS3 } from './s3-server.ts';

let server: S3Server;
let restore = (): void => undefined;
beforeAll(async () => {
  server = await startS3();
  restore = useS3(server);
  const keys = [
    'in/a.bvh',
    'in/b(1).fbx',
    'in/.hidden.bvh',
    'in/notes.txt',
    'in/run/c.bvh',
    'in/run/fast/d.bvh',
    'in/out/e.glb',
    'top.glb',
  ];
  for (const key of keys) server.objects.set(key, { bytes: Buffer.from('x'), etag: '"1"', headers: {} });
});
afterAll(async () => {
  restore();
  await server.close();
});

const at = (...keys: string[]): string[] => keys.map((key) => `s3://${BUCKET}/${key}`);

it.each([
  ['a folder, without its subfolders', 'in', ['in/a.bvh', 'in/b(1).fbx']],
  ['a folder with a slash', 'in/', ['in/a.bvh', 'in/b(1).fbx']],
  ['a whole bucket', '', ['top.glb']],
  ['a pattern of names', 'in/?.bvh', ['in/a.bvh']],
  ['a pattern with parentheses', 'in/b(*).fbx', ['in/b(1).fbx']],
  ['a pattern of folders', 'in/*/*.bvh', ['in/run/c.bvh']],
  ['a pattern of any depth', 'in/**/*.bvh', ['in/a.bvh', 'in/run/c.bvh', 'in/run/fast/d.bvh']],
  ['one object, which may be missing', 'in/missing.bvh', ['in/missing.bvh']],
])('expandStorage: %s', async (_, key, found) => {
  expect(await expandStorage(at(key), null)).toEqual(at(...found));
});

it('expandStorage: keeps paths and the order of arguments, and leaves out results of earlier runs', async () => {
  expect(await expandStorage(['b.bvh', ...at('in/**/*.glb', 'top.glb')], null)).toEqual([
    'b.bvh',
    ...at('in/out/e.glb', 'top.glb'),
  ]);
  await expect(expandStorage(at('in/**/*.glb'), `s3://${BUCKET}/in/out`)).rejects.toThrow(
    /stands for no object with an extension/,
  );
  await expect(expandStorage(at('missing'), null)).rejects.toThrow(/s3:\/\/library\/missing stands for no object/);
});
