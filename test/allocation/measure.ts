/** The child process of `bytesPerCall`: prints the bytes that a call allocates. */
const CALLS = 10_000;
/** A machine that is busy for minutes disturbs a dozen rounds in a row. */
const MOST_ROUNDS = 60;
/** Bytes in a round that Node.js itself allocates now and then; the smallest object in every call is thirty times as much. */
const NOISE = 4_000;
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
// compile; the first one that shows nothing but noise is the last.
let least = Number.POSITIVE_INFINITY;
for (let round = 0; round < MOST_ROUNDS && least > NOISE; round++) least = Math.min(least, allocated());
console.log(least / CALLS);
