/** A pseudo-random source of numbers in [0, 1). It depends only on its seed, so that fixtures are the same on every machine. */
export type Random = () => number;

/** Creates a 32-bit linear congruential generator (Numerical Recipes, section 7.1) whose high bits are mixed into the low bits. */
export function makeRandom(seed: number): Random {
  let state = Math.imul((seed | 0) ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state ^ (state >>> 15)) >>> 0;
  };
  next();
  return () => next() / 2 ** 32;
}

export function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random();
}

export function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[Math.floor(random() * choices.length)];
}

/** Draws a rotation, uniform over all rotations (Shoemake, Graphics Gems III). */
export function randomRotation(random: Random): [number, number, number, number] {
  const u = random();
  const a = 2 * Math.PI * random();
  const b = 2 * Math.PI * random();
  const s = Math.sqrt(1 - u);
  const c = Math.sqrt(u);
  return [s * Math.sin(a), s * Math.cos(a), c * Math.sin(b), c * Math.cos(b)];
}
