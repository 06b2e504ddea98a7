/** `npm run bench -- [--json FILE] [--only NAME]… [--rounds N]`: speed and size relative to other libraries, as ratios within one run. */
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { isMet, type Row } from './measure.ts';

const ROUNDS = 7;

const BENCHES: Readonly<Record<string, (rounds: number) => Promise<Row[]>>> = {
  // First: after scenes of other engines, the compiler inlines less, and boxes some numbers.
  'alloc-bytes': async () => (await import('./alloc-bytes.ts')).allocBytes(),
  people: async (rounds) => (await import('./people.ts')).people(rounds),
  'offline-vs-three': async (rounds) => (await import('./offline-vs-three.ts')).offlineVsThree(rounds),
  'glb-io-vs-gltf-transform': async (rounds) =>
    (await import('./glb-io-vs-gltf-transform.ts')).glbIoVsGltfTransform(rounds),
  'skinning-vs-three': async (rounds) => (await import('./skinning-vs-three.ts')).skinningVsThree(rounds),
  'three-plugin-300': async (rounds) => (await import('./three-plugin.ts')).threePlugin(rounds),
  'babylon-plugin-300': async (rounds) => (await import('./babylon-plugin.ts')).babylonPlugin(rounds),
  'gltf-read-vs-three': async (rounds) => (await import('./gltf-read-vs-three.ts')).gltfReadVsThree(rounds),
  'usd-read-vs-three': async (rounds) => (await import('./usd-read-vs-three.ts')).usdReadVsThree(rounds),
  'fbx-keys-vs-three': async () => (await import('./fbx-keys-vs-three.ts')).fbxKeysVsThree(),
  'crowd-stall': async (rounds) => (await import('./crowd-stall.ts')).crowdStall(rounds),
  playback: async (rounds) => (await import('./playback.ts')).playback(rounds),
  'live-contacts': async (rounds) => (await import('./live-contacts.ts')).liveContacts(rounds),
  batch: async () => (await import('./batch.ts')).batch(),
  'cold-cli': async (rounds) => (await import('./cold-cli.ts')).coldCli(rounds),
};

function machine() {
  const processors = cpus();
  return {
    cpu: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
  };
}

function printRow(row: Row): string {
  const { goal, ratio } = row;
  const sign = goal?.kind === 'cost' ? '≤' : '≥';
  const target = goal === null ? '' : `  ${sign} ${goal.limit}× ${isMet(row) ? 'met' : 'MISSED'}`;
  const amount = (value: number): string => (row.unit === 'ms' ? `${value.toPrecision(3)} ms` : `${value} bytes`);
  const amounts = `${amount(row.value)}, ${row.against} ${amount(row.againstValue)}`;
  return `${row.name.padEnd(38)} ${ratio.toPrecision(3).padStart(5)}×${target}  (${amounts})`;
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}

const { values } = parseArgs({
  options: {
    json: { type: 'string' },
    only: { type: 'string', multiple: true },
    rounds: { type: 'string' },
  },
});
const rounds = Number(values.rounds ?? ROUNDS);
if (!(Number.isInteger(rounds) && rounds > 0))
  fail(`--rounds is ${values.rounds}, but must be a whole number greater than 0.`);
const names = values.only ?? Object.keys(BENCHES);
const unknown = names.find((name) => !Object.hasOwn(BENCHES, name));
if (unknown !== undefined) fail(`--only is ${unknown}, but must be one of ${Object.keys(BENCHES).join(', ')}.`);

const rows: Row[] = [];
for (const [name, bench] of Object.entries(BENCHES)) {
  if (!names.includes(name)) continue;
  for (const row of await bench(rounds)) {
    console.log(printRow(row));
    rows.push(row);
  }
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ machine: machine(), rows }, null, 2)}\n`);
if (!rows.every(isMet)) process.exitCode = 1;
