/** Creates and reads USD texts of meshes. */
import type { Geometry } from '../../../../src/core/asset/geometry.ts';
import { readUsdGeometry } from '../../../../src/formats/usd/read/read-usd-geometry.ts';
import { readUsdScene } from '../../../../src/formats/usd/read/read-usd-scene.ts';
import type { ReadAsset } from '../../../../src/formats/usd/stage/file-resolver.ts';
import { stageOf } from '../stage/scene.ts';

/** The text of a Mesh: a square in the plane z = 0 as one face; `more`: further properties. */
export function square(name: string, more = '', metadata = ''): string {
  return `def Mesh "${name}" ${metadata === '' ? '' : `(\n${metadata}\n)`} {
    int[] faceVertexCounts = [4]
    int[] faceVertexIndices = [0, 1, 2, 3]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
    ${more}
  }
`;
}

/** Reads the geometry of a text, and its issues as `CODE message`. */
export function read(text: string, readAsset: ReadAsset = () => null): { geometry: Geometry; messages: string[] } {
  const { geometry, issues } = readUsdGeometry(readUsdScene(stageOf(text)), readAsset);
  return { geometry, messages: issues.map(({ code, message }) => `${code} ${message}`) };
}

/** Converts numbers to an array, rounded to 6 decimals. */
export function plainNumbers(numbers: ArrayLike<number> | null): number[] | null {
  return numbers === null ? null : Array.from(numbers, (value) => Math.round(value * 1e6) / 1e6 + 0);
}
