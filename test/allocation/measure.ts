/** The child process of `bytesPerCall`: prints the bytes that a call allocates. */
const CALLS = 5_000;
const ROUNDS = 5;
const collect = globalThis.gc as () => void;
const { call } = (await import(process.argv[2])) as { call: (round: number) => void };

function allocated(): number {
  collect();
  const before = process.memoryUsage();
  for (let k = 0; k < CALLS; k++) call(k);
  const after = process.memoryUsage();
  return after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
}

// Warms up until everything is compiled.
for (let round = 0; round < ROUNDS; round++) allocated();
// The minimum: the compiler may disturb some rounds, but allocations of every call are in every round.
console.log(Math.min(...Array.from({ length: ROUNDS }, allocated)) / CALLS);
