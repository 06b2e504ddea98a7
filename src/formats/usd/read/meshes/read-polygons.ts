/** Reads the polygons of Mesh prims (UsdGeomMesh). */
import type { Polygons } from '../../../../core/asset/polygons.ts';
import { FLOAT32_MAX } from '../../../../core/math/floats.ts';
import { numbersOf, textsOf } from '../../skel/typed-values.ts';
import type { Stage } from '../../stage/stage.ts';
import { addFinding, type Findings } from '../geometry-findings.ts';
import { restValue } from '../rest-value.ts';

/** Polygons as authored. Primvars, subsets, influences and blend shapes refer to their points, faces and corners (face-vertices) by index. */
export interface UsdPolygons extends Polygons {
  /** Whether the front of a face is where its corners are clockwise. */
  readonly isLeftHanded: boolean;
  /** 1 for each face that is a hole. */
  readonly holes: Uint8Array;
}

export function faceCount({ starts }: UsdPolygons): number {
  return starts.length - 1;
}

/**
 * Reads `points`, `faceVertexCounts`, `faceVertexIndices`, `holeIndices` and `orientation` of a Mesh. Non-finite coordinates become 0. Faces from the
 * first invalid count on have no corners.
 */
export function readPolygons(stage: Stage, prim: string, findings: Findings): UsdPolygons {
  const numbers = (name: string, width: number): ArrayLike<number> =>
    numbersOf(restValue(stage, prim, name), width) ?? [];
  const points = Float64Array.from(numbers('points', 3));
  const found = (what: string, count: number): void => addFinding(findings, 'USD_GEOMETRY', what, prim, count);
  let broken = 0;
  for (let i = 0; i < points.length; i++) {
    if (Math.abs(points[i]) <= FLOAT32_MAX) continue;
    points[i] = 0;
    broken++;
  }
  found('Point coordinates are not finite and were set to 0', broken);
  const corners = Int32Array.from(numbers('faceVertexIndices', 1));
  const starts = faceStarts(numbers('faceVertexCounts', 1), corners.length);
  found('Face-vertices belong to no face and were dropped', corners.length - starts[starts.length - 1]);
  let invalid = 0;
  for (let corner = 0; corner < corners.length; corner++) {
    if (corners[corner] >= 0 && corners[corner] < points.length / 3) continue;
    corners[corner] = -1;
    invalid++;
  }
  found('Face-vertices refer to missing points; their faces were dropped', invalid);
  const holes = new Uint8Array(starts.length - 1);
  const holeIndices = numbers('holeIndices', 1);
  for (let i = 0; i < holeIndices.length; i++) if (holeIndices[i] < holes.length) holes[holeIndices[i]] = 1;
  const isLeftHanded = textsOf(restValue(stage, prim, 'orientation'))?.[0] === 'leftHanded';
  return { points, corners, starts, isLeftHanded, holes };
}

/** Computes the first corner of each face. From the first negative or too large count on, faces have no corners. */
function faceStarts(counts: ArrayLike<number>, cornerCount: number): Int32Array {
  const starts = new Int32Array(counts.length + 1);
  let end = 0;
  let isValid = true;
  for (let face = 0; face < counts.length; face++) {
    isValid &&= counts[face] >= 0 && end + counts[face] <= cornerCount;
    if (isValid) end += counts[face];
    starts[face + 1] = end;
  }
  return starts;
}
