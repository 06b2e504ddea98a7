const numbers = new Float64Array(8);

/** Writes to an existing array. */
export function call(round: number): void {
  for (let i = 0; i < numbers.length; i++) numbers[i] = Math.sqrt(numbers[i] + round);
}
