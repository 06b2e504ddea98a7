import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { makeRandom } from '../../../src/demo/random.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { temporaryFolder } from '../../support/make/demo-files.ts';

const at = temporaryFolder();
const SCRIPT = fileURLToPath(new URL('write-forever.ts', import.meta.url));
const KILLS = Number(process.env['ANYRIG_KILLS'] ?? (IS_FULL_RUN ? 10 : 2));
/** Bytes of the two files that the script writes. */
const SIZES = { 'buffer.bin': 8 * 256 * 1024, 'main.gltf': 7 * 256 * 1024 };

function start(folder: string, mode: string): ChildProcess {
  const tsx = import.meta.resolve('tsx');
  return spawn(process.execPath, ['--import', tsx, SCRIPT, folder, mode], { stdio: ['ignore', 'pipe', 'inherit'] });
}

function temporaries(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.tmp'));
}

it('writeFilesSync: a process that is killed leaves whole files, and the next one removes its temporary files', async () => {
  const folder = at('killed');
  mkdirSync(folder);
  const random = makeRandom(20);
  for (let kill = 0; kill < KILLS; kill++) {
    const child = start(folder, 'forever');
    await once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data');
    await new Promise((resolve) => setTimeout(resolve, 25 * random()));
    child.kill('SIGKILL');
    await once(child, 'exit');
    for (const [name, size] of Object.entries(SIZES)) {
      const content = readFileSync(`${folder}/${name}`);
      expect(content.length).toBe(size);
      expect(content.equals(Buffer.alloc(size, content[0]))).toBe(true);
    }
    expect(temporaries(folder).length).toBeLessThanOrEqual(2);
  }
  const host =
    hostname()
      .replace(/[^A-Za-z0-9]/g, '')
      .slice(0, 32) || 'host';
  const foreign = '.anyrig-elsewhere9-1-abc-0.tmp';
  const running = `.anyrig-${host}-${process.pid}-abc-0.tmp`;
  for (const name of [foreign, running]) writeFileSync(`${folder}/${name}`, '');
  await once(start(folder, 'once'), 'exit');
  expect(temporaries(folder).sort()).toEqual([foreign, running].sort());
  expect(existsSync(`${folder}/main.gltf`)).toBe(true);
}, 600_000);
