/** The child process of `bytesPerCall`, `measure.ts PROBE BYTES`: prints the bytes that a call allocates, from the first round with fewer than BYTES a call if there is one. */
const CALLS = 10_000;
/** A machine that is busy for minutes disturbs a dozen rounds in a row. */
const MOST_ROUNDS = 60;
const enough = Number(process.argv[3]);
const collect = globalThis.gc as () => void;
const { call } = (await import(process.argv[2])) as { call: (round: number) => void };

function allocated(): number {
  collect();
  const before = process.memoryUsage();
  for (let k = 0; k < CALLS; k++) call(k);
  const after = process.memoryUsage();
  return after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
}

// The minimum: the compiler, or a timer of Node.js, may disturb some rounds, but allocations of every call are in every round. The first rounds
// compile; the first one that shows no more than is allowed is the last.
let least = Number.POSITIVE_INFINITY;
for (let round = 0; round < MOST_ROUNDS && least >= enough * CALLS; round++) least = Math.min(least, allocated());
console.log(least / CALLS);
