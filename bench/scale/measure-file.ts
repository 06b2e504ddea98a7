/** Measures reading, retargeting and writing of one file in a process of its own: `measure-file.ts FILE` prints a {@link FileCost} as JSON. */
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { convertFile, openBytes, retargetMotions } from 'anyrig/files';
import { makeCharacter } from '../../src/demo/characters/make-character.ts';
import { MIXAMO_RIG } from '../../src/demo/characters/rigs.ts';
import { characterDocument, glbBytes } from '../../src/demo/files/glb.ts';

/** What a file costs. */
export interface FileCost {
  /** Size of the file, bytes. */
  readonly bytes: number;
  /** Processor time to open it, milliseconds: the least of a few runs. */
  readonly open: number;
  /** Time to put its motions on a character of the demo, without contacts. */
  readonly retarget: number;
  /** The same with contacts. */
  readonly contacts: number;
  /** Time to write it again in its own format, or as GLB where anyrig writes none. */
  readonly save: number;
  /** Memory above that of the process before it opened the file, at most, while it opens and writes, bytes. */
  readonly peak: number;
}

/** Runs of a job: as many for small files as for large ones, or the exponent would also show the number of runs. The first ones wait for compiled code and memory. */
const RUNS = 4;
/** Runs with contacts, which take ten times as long. */
const CONTACT_RUNS = 2;

async function leastTime(run: () => Promise<unknown>, runs = RUNS): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < runs; k++) {
    globalThis.gc?.();
    const start = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

async function measureFile(path: string): Promise<FileCost> {
  const name = basename(path);
  const format = extname(path).slice(1);
  const output = `out.${format === 'fbx' ? 'glb' : format}`;
  const small = makeCharacter(MIXAMO_RIG);
  const target = await openBytes(glbBytes(characterDocument(small, { detail: 0.2 })), { name: 'target.glb' });
  // Code is compiled, and the process has its usual size, before memory is measured.
  await retargetMotions([target], target, { output: 'out.glb' });
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const { buffer, byteOffset, byteLength } = readFileSync(path);
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  let file = await openBytes(bytes, { name });
  await convertFile(file, { output });
  const peak = 1024 * process.resourceUsage().maxRSS - before;
  const open = await leastTime(async () => {
    file = await openBytes(bytes, { name });
  });
  const save = await leastTime(() => convertFile(file, { output }));
  const retarget = await leastTime(() => retargetMotions([file], target, { output: 'out.glb', contacts: 'off' }));
  const contacts = await leastTime(
    () => retargetMotions([file], target, { output: 'out.glb', contacts: 'auto' }),
    CONTACT_RUNS,
  );
  return { bytes: bytes.length, open, retarget, contacts, save, peak };
}

console.log(JSON.stringify(await measureFile(process.argv[2])));
