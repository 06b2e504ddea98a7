import { expect, it } from 'vitest';
import { directionMatrix, tangentsOf, unitNormals } from '../../../../src/formats/fbx/meshes/normals-and-tangents.ts';

const layer = (width: number, values: number[], indices: number[]) => ({
  name: '',
  width,
  values: Float32Array.from(values),
  indices: Int32Array.from(indices),
});
const scaled = (x: number, y: number, z: number) => Float64Array.of(x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1);
// One triangle in the plane of x and y, whose normal is +Z.
const triangle = {
  points: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
  corners: Int32Array.of(0, 1, 2),
  starts: Int32Array.of(0, 3),
} as unknown as Parameters<typeof unitNormals>[0];

it('directionMatrix: keeps normals perpendicular on squeezed and mirrored meshes', () => {
  const normals = layer(3, [Math.SQRT1_2, Math.SQRT1_2, 0], [0, 0, 0]);
  const corner = Int32Array.of(0);
  const [x, y, z] = unitNormals(triangle, normals, corner, directionMatrix(scaled(2, 1, 1)));
  // The surface x + y = 0 becomes x / 2 + y = 0.
  expect([x / y, z]).toEqual([0.5, 0]);
  const mirrored = unitNormals(triangle, normals, corner, directionMatrix(scaled(-1, 1, 1)));
  expect(mirrored[0]).toBeLessThan(0);
  expect(mirrored[1]).toBe(-mirrored[0]);
});

it('unitNormals: uses the polygon normal for a corner without a normal', () => {
  const normals = layer(3, [], [-1, -1, -1]);
  const found = unitNormals(triangle, normals, Int32Array.of(1), directionMatrix(scaled(1, 1, 1)));
  expect([...found].map(Math.abs)).toEqual([0, 0, 1]);
});

it.each([
  [1, [0, 1, 0]],
  [-1, [0, -1, 0]],
])('gives tangents the hand %d where the binormal is %j', (hand, binormal) => {
  const tangents = layer(3, [2, 0, 0], [0]);
  const normals = Float32Array.of(0, 0, 1);
  const out = tangentsOf(tangents, layer(3, binormal, [0]), normals, Int32Array.of(0), scaled(1, 1, 1));
  expect([...out]).toEqual([1, 0, 0, hand]);
});
