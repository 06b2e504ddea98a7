import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inspectFiles, readStoredFile, storedResourceReader } from '../../../src/batch/storage/stored-files.ts';
import { temporaryFolder } from '../../support/make/demo-files.ts';
import { BUCKET, type S3Server, startS3, useS3 } from './s3-server.ts';

const at = temporaryFolder();
const content = Buffer.from('content');
const sha256 = createHash('sha256').update(content).digest('hex');
let server: S3Server;
let restore = (): void => undefined;
beforeAll(async () => {
  server = await startS3();
  restore = useS3(server);
  mkdirSync(at('in/data'), { recursive: true });
  for (const name of ['in/a.gltf', 'in/data/a.bin', 'secret.bin']) {
    writeFileSync(at(name), content);
    server.objects.set(name, { bytes: content, etag: '"tag"', headers: {} });
  }
});
afterAll(async () => {
  restore();
  await server.close();
});

it('inspectFiles: has hash and size of files and objects without reading objects, and null for missing ones', async () => {
  const url = `s3://${BUCKET}/in/a.gltf`;
  server.log.length = 0;
  const found = await inspectFiles([at('in/a.gltf'), url, url, at('none'), `s3://${BUCKET}/none`]);
  expect([...found.values()]).toEqual([{ hash: sha256, bytes: 7 }, { hash: 'etag:"tag"', bytes: 7 }, null, null]);
  expect(server.log.sort()).toEqual(['HEAD in/a.gltf 200', 'HEAD none 404']);
});

it('readStoredFile: has the same hash as inspectFiles, and names a missing object', async () => {
  const read = await readStoredFile(`s3://${BUCKET}/in/a.gltf`);
  expect([Buffer.from(read.bytes), read.hash]).toEqual([content, 'etag:"tag"']);
  expect((await readStoredFile(at('in/a.gltf'))).hash).toBe(sha256);
  await expect(readStoredFile(`s3://${BUCKET}/none`)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
});

it.each([
  ['a folder', () => at('in/a.gltf'), () => at('in/data/a.bin')],
  ['object storage', () => `s3://${BUCKET}/in/a.gltf`, () => `s3://${BUCKET}/in/data/a.bin`],
])('storedResourceReader: reads only files next to the asset and below, in %s', async (_, file, resource) => {
  const read = storedResourceReader(file());
  expect(await read('data/a.bin')).toMatchObject({ path: resource() });
  expect(await read('./data/../data/a.bin')).toMatchObject({ path: resource() });
  await expect(read('data/none.bin')).rejects.toThrow('it does not exist');
  for (const path of ['../secret.bin', 'data/../../secret.bin'])
    await expect(read(path)).rejects.toMatchObject({ code: 'GLTF_URI_REFUSED' });
});
