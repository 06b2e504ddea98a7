import { expect, it } from 'vitest';
import { FormatError } from '../../../../src/core/report/format-error.ts';
import { writeNodes } from '../../../../src/formats/gltf/write/write-nodes.ts';

const STILL = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1];

it('writeNodes: writes names, children and non-default transforms, also for parents that follow their children', () => {
  const rest = [...STILL, 1, 2, 3, 0, 1, 0, 0, 2, 2, 2, ...STILL];
  expect(writeNodes({ names: ['a', '', 'top'], parents: [2, 0, -1], rest })).toEqual({
    nodes: [
      { name: 'a', children: [1] },
      { translation: [1, 2, 3], rotation: [0, 1, 0, 0], scale: [2, 2, 2] },
      { name: 'top', children: [0] },
    ],
    roots: [2],
  });
});

it('writeNodes: throws for numbers beyond float32', () => {
  for (const value of [1e39, Number.NaN]) {
    expect(() => writeNodes({ names: ['a'], parents: [-1], rest: [value, ...STILL.slice(1)] })).toThrow(FormatError);
  }
});
