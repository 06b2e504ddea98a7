import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Io } from '../../src/cli/io.ts';
import { openInput } from '../../src/cli/open-input.ts';
import { type JobResult, type RunningJob, runJob } from '../../src/cli/run-job.ts';
import { recordIo } from './run-here.ts';

const BVH =
  'HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n';

let folder: string;
let motion: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'anyrig-job-'));
  motion = join(folder, 'motion.bvh');
  writeFileSync(motion, BVH);
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Report {
  readonly ok: boolean;
}

type Run = (job: RunningJob) => Promise<JobResult<Report>>;

const writing =
  (output: string): Run =>
  async ({ opened }) => {
    opened(await openInput(motion, {}));
    return { report: { ok: true }, outputs: [{ path: output, parts: [Uint8Array.of(1, 2)] }] };
  };
const show = async (report: Report, io: Io): Promise<void> => void io.stdout.write(`shown ${report.ok}`);

describe('runJob', () => {
  it('writes the outputs of a job and shows its report last', async () => {
    const { io, out } = recordIo();
    const output = join(folder, 'out.bin');
    expect(await runJob({}, io, writing(output), show)).toBe(0);
    expect([...readFileSync(output)]).toEqual([1, 2]);
    expect(out.stdout).toBe('shown true');
  });

  it('prints the report as one line of JSON with --json', async () => {
    const { io, out } = recordIo();
    await runJob({ json: true }, io, writing(join(folder, 'json.bin')), show);
    expect(out.stdout).toBe('{"ok":true}\n');
  });

  it('ends with 1 and writes nothing when the job fails', async () => {
    const { io } = recordIo();
    const output = join(folder, 'none.bin');
    expect(await runJob({}, io, async () => ({ report: { ok: false }, outputs: [] }), show)).toBe(1);
    expect(() => readFileSync(output)).toThrow(/ENOENT/);
  });

  it('replaces an input only with --force', async () => {
    const { io } = recordIo();
    await expect(runJob({}, io, writing(motion), show)).rejects.toThrow();
    expect(readFileSync(motion, 'utf8')).toBe(BVH);
    expect(await runJob({ force: true }, io, writing(motion), show)).toBe(0);
    expect([...readFileSync(motion)]).toEqual([1, 2]);
  });
});
