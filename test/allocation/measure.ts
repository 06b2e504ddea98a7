/** Prints the bytes that a call leaves on the heap; the process of `bytesPerCall`. */
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

// Until all of it is compiled.
for (let round = 0; round < ROUNDS; round++) allocated();
// The least: the compiler may still come in between, and what every call allocates is in every round.
console.log(Math.min(...Array.from({ length: ROUNDS }, allocated)) / CALLS);
