/** The polygons of a Mesh prim: points, and the corners that lead to them (UsdGeomMesh). */
import { FLOAT32_MAX } from '../../../core/math/floats.ts';
import { numbersOf, textsOf } from '../skel/stage-reading.ts';
import type { Stage } from '../stage/stage.ts';
import { type Findings, note } from './geometry-findings.ts';
import { restValue } from './rest-value.ts';

/** Polygons as the file has them. Primvars, subsets, influences and blend shapes count in these numbers. */
export interface UsdPolygons {
  /** xyz of the points. */
  readonly points: Float64Array;
  /** Point of every corner, face after face; −1 where the file names one that is not there. */
  readonly corners: Int32Array;
  /** The corners of face f are those from `starts[f]` up to, without, `starts[f + 1]`; one more entry than faces. */
  readonly starts: Int32Array;
  /** Whether faces are seen from the side from which their corners go clockwise. */
  readonly isLeftHanded: boolean;
  /** 1 for faces that are holes: they are there for subdivision alone. */
  readonly holes: Uint8Array;
}

/** How many faces there are, the broken ones and the holes among them. */
export function faceCount({ starts }: UsdPolygons): number {
  return starts.length - 1;
}

/**
 * Reads `points`, `faceVertexCounts`, `faceVertexIndices`, `holeIndices` and `orientation` of a Mesh. Points that are not finite lie at 0; faces whose
 * corners the list of indices does not have are without corners.
 */
export function readPolygons(stage: Stage, prim: string, findings: Findings): UsdPolygons {
  const numbers = (name: string, width: number): ArrayLike<number> =>
    numbersOf(restValue(stage, prim, name), width) ?? [];
  const points = Float64Array.from(numbers('points', 3));
  const found = (what: string, count: number): void => note(findings, 'USD_GEOMETRY', what, prim, count);
  let broken = 0;
  for (let i = 0; i < points.length; i++) {
    if (Math.abs(points[i]) <= FLOAT32_MAX) continue;
    points[i] = 0;
    broken++;
  }
  found('Numbers of points that are not finite were set to 0', broken);
  const corners = Int32Array.from(numbers('faceVertexIndices', 1));
  const starts = faceStarts(numbers('faceVertexCounts', 1), corners.length);
  found('Corners that belong to no face were left out', corners.length - starts[starts.length - 1]);
  let strays = 0;
  for (let corner = 0; corner < corners.length; corner++) {
    if (corners[corner] >= 0 && corners[corner] < points.length / 3) continue;
    corners[corner] = -1;
    strays++;
  }
  found('Corners lead to points that are not there; their faces were left out', strays);
  const holes = new Uint8Array(starts.length - 1);
  const holeIndices = numbers('holeIndices', 1);
  for (let i = 0; i < holeIndices.length; i++) if (holeIndices[i] < holes.length) holes[holeIndices[i]] = 1;
  const isLeftHanded = textsOf(restValue(stage, prim, 'orientation'))?.[0] === 'leftHanded';
  return { points, corners, starts, isLeftHanded, holes };
}

/** Where the corners of every face begin. From the first count on that is none or asks for more corners than there are, faces have none. */
function faceStarts(counts: ArrayLike<number>, cornerCount: number): Int32Array {
  const starts = new Int32Array(counts.length + 1);
  let end = 0;
  let isSound = true;
  for (let face = 0; face < counts.length; face++) {
    isSound &&= counts[face] >= 0 && end + counts[face] <= cornerCount;
    if (isSound) end += counts[face];
    starts[face + 1] = end;
  }
  return starts;
}
