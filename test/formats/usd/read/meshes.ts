/** USD texts of meshes, and what comes of them. */
import type { Geometry } from '../../../../src/core/asset/geometry.ts';
import type { Issue } from '../../../../src/core/report/issue.ts';
import { readUsdGeometry } from '../../../../src/formats/usd/read/read-geometry.ts';
import { readUsdScene } from '../../../../src/formats/usd/read/read-scene.ts';
import type { ReadAsset } from '../../../../src/formats/usd/stage/read-asset.ts';
import { stageOf } from '../stage/scene.ts';

/** A square in the plane z = 0 as one face, its properties those that are given too. */
export function square(name: string, more = '', metadata = ''): string {
  return `def Mesh "${name}" ${metadata === '' ? '' : `(\n${metadata}\n)`} {
    int[] faceVertexCounts = [4]
    int[] faceVertexIndices = [0, 1, 2, 3]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
    ${more}
  }
`;
}

/** The geometry of a text, without images if none are given, and the messages of its issues by code. */
export function read(text: string, readAsset: ReadAsset = () => null): { geometry: Geometry; told: string[] } {
  const issues: Issue[] = [];
  const geometry = readUsdGeometry(readUsdScene(stageOf(text)), readAsset, issues);
  return { geometry, told: issues.map(({ code, message }) => `${code} ${message}`) };
}

/** Numbers as a plain list, rounded as printed floats. */
export function plainNumbers(numbers: ArrayLike<number> | null): number[] | null {
  return numbers === null ? null : Array.from(numbers, (value) => Math.round(value * 1e6) / 1e6 + 0);
}
