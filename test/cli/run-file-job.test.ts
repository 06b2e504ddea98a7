import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openInput } from '../../src/cli/open-input.ts';
import { type FileJob, runFileJob } from '../../src/cli/run-file-job.ts';
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

function job(output: string, over: Partial<FileJob<Report>> = {}): FileJob<Report> {
  return {
    output,
    flags: {},
    open: async () => [await openInput(motion, {})],
    run: async () => ({ report: { ok: true }, outputs: [{ path: output, parts: [Uint8Array.of(1, 2)] }] }),
    show: async (report, io) => io.stdout.write(`shown ${report.ok}`),
    ...over,
  };
}

describe('runFileJob', () => {
  it('passes the opened files to the job, writes its outputs and shows the report last', async () => {
    const { io, out } = recordIo();
    const output = join(folder, 'out.bin');
    const seen: string[] = [];
    const plain = job(output);
    const run: FileJob<Report>['run'] = (files, step) => {
      seen.push(...files.map(({ name }) => name));
      return plain.run(files, step);
    };
    expect(await runFileJob({ ...plain, run }, io)).toBe(0);
    expect(seen).toEqual([motion]);
    expect([...readFileSync(output)]).toEqual([1, 2]);
    expect(out.stdout).toBe('shown true');
  });

  it('prints the report as one line of JSON with --json', async () => {
    const { io, out } = recordIo();
    await runFileJob(job(join(folder, 'json.bin'), { flags: { json: true } }), io);
    expect(out.stdout).toBe('{"ok":true}\n');
  });

  it('ends with 1 and writes nothing when the job fails', async () => {
    const { io } = recordIo();
    const output = join(folder, 'none.bin');
    const exit = await runFileJob(job(output, { run: async () => ({ report: { ok: false }, outputs: [] }) }), io);
    expect(exit).toBe(1);
    expect(() => readFileSync(output)).toThrow(/ENOENT/);
  });

  it('replaces an input only with --force', async () => {
    const { io } = recordIo();
    await expect(runFileJob(job(motion), io)).rejects.toThrow();
    expect(readFileSync(motion, 'utf8')).toBe(BVH);
    expect(await runFileJob(job(motion, { flags: { force: true } }), io)).toBe(0);
    expect([...readFileSync(motion)]).toEqual([1, 2]);
  });
});
