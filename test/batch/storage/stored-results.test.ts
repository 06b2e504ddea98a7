import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  checkConditions,
  hasStoredResult,
  keyOfRecord,
  publishFile,
  publishRecord,
  readRecord,
  recordPath,
} from '../../../src/batch/storage/stored-results.ts';
import type { StorageDestination } from '../../../src/batch/worker/task-request.ts';
import { skipWaits } from '../../support/make/skip-waits.ts';
import { BUCKET, NO_RETRIES, type S3Server, startS3, useS3 } from './s3-server.ts';

// Waits between attempts take seconds.
const restoreWaits = skipWaits();
afterAll(restoreWaits);

const OUT = `s3://${BUCKET}/out`;
const encode = (text: string): Uint8Array[] => [new TextEncoder().encode(text)];

/** A worker with a job of a batch that was planned at a time. */
function worker(key: string, planned: number): StorageDestination {
  return { type: 'storage', url: OUT, key, planned };
}

describe('stored-results', () => {
  let server: S3Server;
  let restore = (): void => undefined;
  beforeAll(async () => {
    server = await startS3();
    restore = useS3(server, NO_RETRIES);
  });
  afterEach(() => {
    server.fail = () => null;
    server.isConditional = true;
    server.objects.clear();
    server.log.length = 0;
  });
  afterAll(async () => {
    restore();
    await server.close();
  });

  const stored = (path: string): string | undefined => server.objects.get(`out/${path}`)?.bytes.toString();

  it('publishFile: two workers with the same job write one object, and agree on its entity tag', async () => {
    const both = await Promise.all([1, 2].map(() => publishFile(worker('k', 5), 'a.glb', encode('same'))));
    expect(both[0]).toEqual(both[1]);
    expect(server.log.filter((line) => line === 'PUT out/a.glb 200')).toHaveLength(1);
    expect(stored('a.glb')).toBe('same');
  });

  it('publishFile: a result replaces that of an older batch, and objects of others', async () => {
    await publishFile(worker('old', 5), 'a.glb', encode('old'));
    await publishFile(worker('new', 6), 'a.glb', encode('new'));
    server.objects.set('out/b.glb', { bytes: Buffer.from('by hand'), etag: '"1"', headers: {} });
    await publishFile(worker('new', 6), 'b.glb', encode('made'));
    expect([stored('a.glb'), stored('b.glb')]).toEqual(['new', 'made']);
  });

  it('publishFile: a worker with an old job never replaces the result of a newer batch', async () => {
    await publishFile(worker('new', 6), 'a.glb', encode('new'));
    await expect(publishFile(worker('old', 5), 'a.glb', encode('old'))).rejects.toThrow(
      /by a batch that started later/,
    );
    expect(stored('a.glb')).toBe('new');
  });

  it('publishFile: knows its own object when the answer was lost, and writes again what was removed meanwhile', async () => {
    const left = ['cut-after', null, null] as const;
    let n = 0;
    server.fail = () => left[n++] ?? null;
    const [file, etag] = await publishFile(worker('k', 5), 'a.glb', encode('content'));
    expect([file.bytes, etag]).toEqual([7, server.objects.get('out/a.glb')?.etag]);
    await publishFile(worker('old', 4), 'b.glb', encode('old'));
    server.fail = (method) => {
      if (method === 'HEAD') server.objects.delete('out/b.glb');
      return null;
    };
    await publishFile(worker('new', 5), 'b.glb', encode('new'));
    expect(stored('b.glb')).toBe('new');
  });

  it('publishFile: names the object and the reason when it cannot be written', async () => {
    server.fail = () => 503;
    await expect(publishFile(worker('k', 5), 'a.glb', encode('content'))).rejects.toThrow(
      /^s3:\/\/library\/out\/a\.glb cannot be written: 127\.0\.0\.1:\d+ failed for .* \(status 503/,
    );
    expect(stored('a.glb')).toBe(undefined);
  });

  it('publishRecord: what it writes is read again, and a damaged record counts as missing', async () => {
    const by = worker('key1', 5);
    const [file, etag] = await publishFile(by, 'hero/walk.glb', encode('content'));
    const report = { clips: [], figures: null, strips: [], issues: [] };
    expect(await hasStoredResult(by, [file])).toBe(false);
    await publishRecord(by, 'hero/walk', { files: [file], temporary: [], resources: [], report }, [etag]);
    expect(await hasStoredResult(by, [file])).toBe(true);
    expect(await hasStoredResult(by, [{ ...file, bytes: file.bytes + 1 }])).toBe(false);
    expect(await hasStoredResult(by, [{ ...file, sha256: '0' }])).toBe(false);
    const record = await readRecord(OUT, 'key1');
    expect(record).toEqual({
      line: { state: 'ready', id: 'hero/walk', key: 'key1', files: [file], resources: [], report },
      etags: [etag],
    });
    expect(await readRecord(OUT, 'key2')).toBe(null);
    server.objects.set(`out/${recordPath('key2')}`, { bytes: Buffer.from('{"li'), etag: '"1"', headers: {} });
    expect(await readRecord(OUT, 'key2')).toBe(null);
    server.objects.delete('out/hero/walk.glb');
    expect(await hasStoredResult(by, [file])).toBe(false);
    expect([keyOfRecord(recordPath('key1')), keyOfRecord('hero/walk.glb')]).toEqual(['key1', null]);
  });

  it('publishFile: a key that is too long costs its result only', async () => {
    const name = `${'あ'.repeat(340)}.glb`;
    await expect(publishFile(worker('key1', 5), `hero/${name}`, encode('content'))).rejects.toMatchObject({
      failure: {
        code: 'CANNOT_WRITE',
        message: expect.stringMatching(/longer than 1024 bytes; expected a shorter name/),
      },
    });
  });

  it('checkConditions: refuses storage that ignores conditions, and writes one small object', async () => {
    await checkConditions(OUT);
    await checkConditions(OUT);
    expect([...server.objects.keys()]).toEqual(['out/.anyrig/conditional']);
    server.isConditional = 'new';
    await expect(checkConditions(OUT)).rejects.toThrow(/ignores If-Match; expected one with conditional writes/);
    server.isConditional = false;
    await expect(checkConditions(OUT)).rejects.toThrow(
      /The storage of s3:\/\/library\/out ignores If-None-Match; expected/,
    );
  });
});
