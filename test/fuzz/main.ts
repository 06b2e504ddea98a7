/**
 * Opens damaged files of all formats and runs jobs on them: `npm run fuzz -- --format F --output F --small --seconds N --seed S --save FOLDER`; or runs batches with hostile
 * journals, workers, reports and jobs: `npm run fuzz -- --world batch --count N --seed S`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CONVERTED, findFault } from './find-fault.ts';
import type { Finding } from './findings.ts';
import { runBatchWorld } from './hostile/batch-world.ts';
import { minimize } from './minimize.ts';
import { makeInput } from './mutations/mutate-file.ts';
import { openPartners } from './partners.ts';
import { runFuzzer } from './run-fuzzer.ts';
import { chooseSeeds, FUZZ_FORMATS, makeSeeds } from './seeds.ts';

const { values } = parseArgs({
  options: {
    format: { type: 'string' },
    output: { type: 'string' },
    small: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string' },
    save: { type: 'string' },
    world: { type: 'string', default: 'files' },
    count: { type: 'string', default: '20000' },
  },
});
const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
const format = values.format ?? null;
if (format !== null && !FUZZ_FORMATS.some((one) => one === format))
  throw new Error(`--format is ${format}; expected one of ${FUZZ_FORMATS.join(', ')}`);
const output = values.output ?? null;
if (output !== null && !CONVERTED.some((one) => one === output))
  throw new Error(`--output is ${output}; expected one of ${CONVERTED.join(', ')}`);
if (values.world !== 'files' && values.world !== 'batch')
  throw new Error(`--world is ${values.world}; expected files or batch`);
console.log(`seed ${seed}`);

const { isTTY } = process.stderr;
if (values.world === 'batch') {
  const folder = mkdtempSync(join(tmpdir(), 'anyrig-fuzz-'));
  const count = Number(values.count);
  const report = (done: number): void => {
    if (isTTY) process.stderr.write(`\r${done} cases`);
  };
  const found = await runBatchWorld({ seed, first: 0, count, folder, report });
  rmSync(folder, { recursive: true });
  for (const { index, fault } of found) console.log(`case ${index}: ${fault.message}`);
  console.log(`${count} cases of hostile batches: ${found.length} faults`);
  process.exit(found.length > 0 ? 1 : 0);
}
const { findings, counts, written } = await runFuzzer({
  seed,
  seconds: Number(values.seconds),
  format,
  output,
  isSmall: values.small,
  report: (files, faults) => {
    if (isTTY) process.stderr.write(`\r${files} files, ${faults} faults`);
  },
});
if (isTTY) process.stderr.write('\n');
const distinct = new Map<string, Finding[]>();
for (const one of findings) {
  const key = `${one.fault.job}: ${one.fault.message}`;
  distinct.set(key, [...(distinct.get(key) ?? []), one]);
}
const seeds = chooseSeeds(await makeSeeds(), format, values.small);
const partners = await openPartners();
for (const [key, [first, ...others]] of [...distinct].sort((a, b) => b[1].length - a[1].length)) {
  const input = makeInput(seeds, seed, first.index, { output, isSmall: values.small });
  const indices = [first, ...others].slice(0, 5).map(({ index }) => index);
  console.log(`${others.length + 1}× ${key}\n    ${input.name}, job ${input.job}, files ${indices.join(', ')}`);
  if (values.save === undefined) continue;
  // Files that take too long would take as long in every attempt.
  const isSlow = first.fault.job === 'any';
  const shows = async (bytes: Uint8Array): Promise<boolean> => {
    const { fault } = await findFault({ ...input, bytes }, partners);
    return fault?.job === first.fault.job && fault.message === first.fault.message;
  };
  const bytes = isSlow ? input.bytes : await minimize(input.bytes, shows);
  mkdirSync(values.save, { recursive: true });
  writeFileSync(join(values.save, `${seed}-${first.index}-${input.job}.${input.format}`), bytes);
}
const listed = FUZZ_FORMATS.map((name, k) => `${name} ${counts[k]}`).join(', ');
const total = counts.reduce((sum, count) => sum + count, 0);
console.log(`${total} files (${listed}), ${written} outputs: ${findings.length} faults of ${distinct.size} kinds`);
process.exit(distinct.size > 0 ? 1 : 0);
