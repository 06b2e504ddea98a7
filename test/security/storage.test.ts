/** Records in object storage that no worker of ours has written. */
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planBatch } from '../../src/batch/plan/plan-batch.ts';
import { runBatch } from '../../src/batch/run/run-batch.ts';
import { replaceObject } from '../../src/batch/storage/stored-results.ts';
import { BUCKET, NO_RETRIES, type S3Server, startS3, useS3 } from '../batch/storage/s3-server.ts';
import { temporaryFolder } from '../support/make/demo-files.ts';
import { answering, EMPTY_REPORT } from './beside.ts';

const at = temporaryFolder();

describe('V2: records in storage', () => {
  let server: S3Server;
  let restore = (): void => undefined;
  beforeAll(async () => {
    server = await startS3();
    restore = useS3(server, NO_RETRIES);
  });
  afterAll(async () => {
    restore();
    await server.close();
  });

  it('of another shape, or with paths out of the folder, are no results: prune removes nothing for them', async () => {
    writeFileSync(at('walk.bvh'), 'walk');
    const secret = `s3://${BUCKET}/private/key`;
    await replaceObject(secret, new TextEncoder().encode('secret'));
    const etag = server.objects.get('private/key')?.etag ?? '';
    const sizes = { bytes: 6, sha256: '' };
    const file = (path: unknown): object => ({ files: [{ path, ...sizes }] });
    const HOSTILE: readonly object[] = [
      file('../private/key'),
      file('/private/key'),
      file(secret),
      file('.anyrig/results/good.json'),
      file(5),
      { files: null },
      { resources: [{ path: 5 }] },
      { id: null },
    ];
    const folder = `s3://${BUCKET}/out`;
    for (const [k, fields] of HOSTILE.entries()) {
      const line = {
        state: 'ready',
        id: `old${k}`,
        key: `k${k}`,
        files: [],
        resources: [],
        report: EMPTY_REPORT,
        ...fields,
      };
      const text = JSON.stringify({ line, etags: [etag] });
      await replaceObject(`${folder}/.anyrig/results/k${k}.json`, new TextEncoder().encode(text));
    }
    const before = [...server.objects.keys()].sort();
    const plan = planBatch({ motions: [at('walk.bvh')], mode: 'extract' });
    const pool = answering(() => ({ failure: { code: 'X', message: 'y' } }));
    const { removed } = await runBatch(plan, { folder, pool, prune: true });
    expect(removed).toEqual([]);
    expect([...server.objects.keys()].filter((key) => key !== 'out/.anyrig/conditional').sort()).toEqual(before);
    expect(server.log.filter((line) => line.startsWith('DELETE'))).toEqual([]);
  });
});
