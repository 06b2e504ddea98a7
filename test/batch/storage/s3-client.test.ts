/** Requests to a server that verifies signatures, and that fails. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { deleteObject, getObject, headObject, listObjects, putObject } from '../../../src/batch/storage/s3-client.ts';
import { skipWaits } from '../../support/make/skip-waits.ts';
import { BUCKET, KEY_ID, NO_RETRIES, type S3Server, SECRET, startS3, useS3 } from './s3-server.ts';

// Waits between attempts take seconds.
const restoreWaits = skipWaits();
afterAll(restoreWaits);

const URL_OF = `s3://${BUCKET}`;
const HEADERS = { type: 'text/plain', metadata: { mark: 'm1' } };
const bytes = new TextEncoder().encode('content');

describe('s3-client', () => {
  let server: S3Server;
  let restore = (): void => undefined;
  beforeAll(async () => {
    server = await startS3();
    restore = useS3(server, NO_RETRIES);
  });
  afterEach(() => {
    restore();
    restore = useS3(server, NO_RETRIES);
    server.fail = () => null;
    server.objects.clear();
    server.log.length = 0;
  });
  afterAll(async () => {
    restore();
    await server.close();
  });

  /** Changes the environment for a test. */
  function withEnvironment(changed: Record<string, string>): void {
    restore();
    restore = useS3(server, { ...NO_RETRIES, ...changed });
  }

  it('writes, reads, lists and removes objects whose keys have spaces, plus signs and other alphabets', async () => {
    const url = `${URL_OF}/motions/a walk + 1 (ü)=é&歩.bvh`;
    const etag = await putObject(url, bytes, 'new', HEADERS);
    expect(await getObject(url)).toEqual({ bytes, etag });
    expect(await headObject(url)).toEqual({ url, etag, bytes: bytes.length, metadata: { mark: 'm1' } });
    expect(await listObjects(`${URL_OF}/motions/`, true)).toEqual([{ url, etag, bytes: bytes.length }]);
    await deleteObject(url);
    expect([await getObject(url), await headObject(url)]).toEqual([null, null]);
  });

  it('lists folders of several pages, with and without subfolders', async () => {
    const keys = Array.from(
      { length: 20 },
      (_, k) => `in/${k % 2 === 0 ? '' : 'deep/'}${String(k).padStart(2, '0')}.bvh`,
    );
    for (const key of keys) await putObject(`${URL_OF}/${key}`, bytes, 'always', HEADERS);
    const urls = async (hasSubfolders: boolean): Promise<string[]> =>
      (await listObjects(`${URL_OF}/in/`, hasSubfolders)).map(({ url }) => url.slice(URL_OF.length + 1));
    expect(await urls(true)).toEqual([...keys].sort());
    expect(await urls(false)).toEqual(keys.filter((key) => !key.includes('deep')));
  });

  it('writes a new object only under an unused key, and replaces only the one that is meant', async () => {
    const url = `${URL_OF}/out/walk.glb`;
    const other = new Uint8Array(3);
    const ifMatch = (await putObject(url, bytes, 'new', HEADERS)) ?? '';
    expect(await putObject(url, other, 'new', HEADERS)).toBe(null);
    expect((await getObject(url))?.bytes).toEqual(bytes);
    expect(await putObject(url, other, { ifMatch: '"another"' }, HEADERS)).toBe(null);
    expect(await putObject(url, other, { ifMatch }, HEADERS)).not.toBe(null);
    await deleteObject(url);
    expect(await putObject(url, other, { ifMatch }, HEADERS)).toBe(null);
  });

  it.each([500, 503, 429, 'cut', 'cut-within'] as const)('reads again after failures: %s', async (failure) => {
    await putObject(`${URL_OF}/a`, bytes, 'new', HEADERS);
    let left = 4;
    server.fail = () => (left-- > 0 ? failure : null);
    expect((await getObject(`${URL_OF}/a`))?.bytes).toEqual(bytes);
    expect(left).toBe(-1);
  });

  it('names the host and the reason when the server stays away, and what to do', async () => {
    server.fail = () => 'cut';
    await expect(getObject(`${URL_OF}/a`)).rejects.toThrow(
      /^127\.0\.0\.1:\d+ did not answer for s3:\/\/library\/a \(ECONNRESET\); check AWS_ENDPOINT_URL and the network/,
    );
    withEnvironment({ AWS_ENDPOINT_URL: 'http://user:password@127.0.0.1:9' });
    await expect(getObject(`${URL_OF}/a`)).rejects.toThrow(
      /^127\.0\.0\.1:9 did not answer for s3:\/\/library\/a \(ECONNREFUSED\)/,
    );
    withEnvironment({ AWS_REGION: 'eu-test-2' });
    server.fail = () => 503;
    await expect(getObject(`${URL_OF}/a`)).rejects.toThrow(/failed for .* \(status 503, \w+\); run .* again later/);
  });

  it('names wrong credentials and a missing bucket without the words of the server', async () => {
    withEnvironment({ AWS_SECRET_ACCESS_KEY: 'wrong' });
    const refused = await getObject(`${URL_OF}/a`).catch((error: Error) => error);
    expect(String(refused)).toMatch(
      /refused access to s3:\/\/library\/a \(SignatureDoesNotMatch\); check AWS_ACCESS_KEY/,
    );
    withEnvironment({ AWS_ACCESS_KEY_ID: 'nobody' });
    const unknown = await getObject(`${URL_OF}/a`).catch((error: Error) => error);
    expect(String(unknown)).toMatch(/InvalidAccessKeyId/);
    withEnvironment({});
    await expect(getObject('s3://nowhere/a')).rejects.toThrow(/^The bucket nowhere does not exist at 127\.0\.0\.1/);
    await expect(listObjects('s3://nowhere/a', true)).rejects.toThrow(/^The bucket nowhere does not exist/);
    for (const secret of [KEY_ID, SECRET, 'wrong']) expect(`${refused}${unknown}`).not.toContain(secret);
  });

  it('has no second effect when the answer to a write is lost', async () => {
    let left = 1;
    server.fail = () => (left-- > 0 ? 'cut-after' : null);
    expect(await putObject(`${URL_OF}/a`, bytes, 'new', HEADERS)).toBe(null);
    expect(server.log).toEqual(['PUT a cut-after', 'PUT a 412']);
    expect((await headObject(`${URL_OF}/a`))?.metadata).toEqual({ mark: 'm1' });
  });
});
