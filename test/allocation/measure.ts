/** The child process of `bytesPerCall`: prints the bytes that a call allocates. */
const CALLS = 10_000;
const ROUNDS = 6;
const MOST_ROUNDS = 20;
/** Bytes in a round that Node.js itself allocates now and then; one byte per call is ten times as much. */
const NOISE = 1_000;
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
// compile; the next ones end as soon as one shows nothing but noise.
let least = Number.POSITIVE_INFINITY;
for (let round = 0; round < ROUNDS || (round < MOST_ROUNDS && least > NOISE); round++)
  least = Math.min(least, allocated());
console.log(least / CALLS);
