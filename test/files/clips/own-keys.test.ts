import { expect, it } from 'vitest';
import { createKeyOwner } from '../../../src/files/jobs/retarget-clips.ts';

it('createKeyOwner: copies views of larger buffers, shared arrays once, and keeps other arrays', () => {
  const file = new Float32Array(100).map((_, k) => k);
  const times = file.subarray(0, 3);
  const values = Float64Array.of(7, 8, 9);
  const own = createKeyOwner();
  const tracks = [
    { target: 1, interpolation: 'LINEAR', times, values },
    { target: 2, interpolation: 'STEP', times, values: file.subarray(50, 53) },
  ] as const;
  const [first, second] = own(tracks);
  expect([first.target, second.target]).toEqual([1, 2]);
  expect([...first.times, ...second.values]).toEqual([0, 1, 2, 50, 51, 52]);
  expect(first.times).toBe(second.times);
  expect(first.values).toBe(values);
  for (const array of [first.times, second.values]) expect(array.buffer.byteLength).toBe(array.byteLength);
});
