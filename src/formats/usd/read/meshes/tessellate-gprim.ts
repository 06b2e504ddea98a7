/** Tessellates UsdGeom's intrinsic gprims: Cube, Sphere, Cylinder, Cone, Capsule and Plane. */
import { numbersOf, textsOf } from '../../skel/typed-values.ts';
import type { Stage } from '../../stage/stage.ts';
import { restValue } from '../rest-value.ts';
import type { UsdPolygons } from './read-polygons.ts';
import type { PrimvarValues } from './read-primvars.ts';

/** Segments around the axis of round gprims. */
const AROUND = 32;
/** Segments from pole to pole of a sphere; a cap has half as many. */
const ALONG = 16;

/** A point in the profile of a surface of revolution: distance from the axis, height, and the normal in the same plane. */
type OutlinePoint = readonly [radius: number, height: number, normalOut: number, normalUp: number];
/** The smooth parts of a profile, from bottom to top. */
type Outline = readonly (readonly OutlinePoint[])[];

interface Faces {
  readonly points: number[];
  readonly normals: number[];
  readonly counts: number[];
  /** Index of the point and normal of each corner. */
  readonly corners: number[];
}

export const TESSELLATED: ReadonlySet<string> = new Set(
  'Cube Sphere Cylinder Cylinder_1 Cone Capsule Capsule_1 Plane'.split(' '),
);

/**
 * Tessellates a gprim. Invalid sizes are replaced by the schema's fallback values. Faces have the outside in front; there is a unit normal per point.
 */
export function tessellateGprim(
  stage: Stage,
  prim: string,
  typeName: string,
): { polygons: UsdPolygons; normals: PrimvarValues } {
  const size = (name: string, fallback: number): number => {
    const value = numbersOf(restValue(stage, prim, name), 1)?.[0];
    return value !== undefined && Number.isFinite(Math.fround(value)) ? Math.abs(value) : fallback;
  };
  const faces: Faces = { points: [], normals: [], counts: [], corners: [] };
  if (typeName === 'Cube') addBox(faces, size('size', 2) / 2);
  else if (typeName === 'Plane') addPlane(faces, axisOf(stage, prim), size('width', 2) / 2, size('length', 2) / 2);
  else addRevolved(faces, outlineOf(typeName, size));
  if (typeName !== 'Cube' && typeName !== 'Plane') alignAxis(faces, axisOf(stage, prim));
  const { points, normals, counts, corners } = faces;
  const starts = new Int32Array(counts.length + 1);
  for (const [face, count] of counts.entries()) starts[face + 1] = starts[face] + count;
  const cornerPoints = Int32Array.from(corners);
  const polygons = {
    points: Float64Array.from(points),
    corners: cornerPoints,
    starts,
    isLeftHanded: false,
    holes: new Uint8Array(counts.length),
  };
  const values = Float32Array.from(normals);
  return { polygons, normals: { width: 3, values, indices: cornerPoints, interpolation: 'vertex' } };
}

function axisOf(stage: Stage, prim: string): 'X' | 'Y' | 'Z' {
  const axis = textsOf(restValue(stage, prim, 'axis'))?.[0];
  return axis === 'X' || axis === 'Y' ? axis : 'Z';
}

function outlineOf(typeName: string, size: (name: string, fallback: number) => number): Outline {
  if (typeName === 'Sphere') {
    const radius = size('radius', 1);
    return [arc(radius, 0, -Math.PI / 2, Math.PI / 2, ALONG)];
  }
  if (typeName === 'Capsule' || typeName === 'Capsule_1') {
    const half = size('height', 1) / 2;
    const [bottom, top] = radii(typeName, size, 0.5);
    const side = straight(bottom, -half, top, half);
    const caps = [arc(bottom, -half, -Math.PI / 2, 0, ALONG / 2), arc(top, half, 0, Math.PI / 2, ALONG / 2)] as const;
    return [caps[0], side, caps[1]];
  }
  const half = size('height', 2) / 2;
  const [bottom, top] = typeName === 'Cone' ? [size('radius', 1), 0] : radii(typeName, size, 1);
  const bottomCap: OutlinePoint[] = [
    [0, -half, 0, -1],
    [bottom, -half, 0, -1],
  ];
  const topCap: OutlinePoint[] = [
    [top, half, 0, 1],
    [0, half, 0, 1],
  ];
  return [bottomCap, straight(bottom, -half, top, half), ...(top > 0 ? [topCap] : [])];
}

function radii(
  typeName: string,
  size: (name: string, fallback: number) => number,
  fallback: number,
): [bottom: number, top: number] {
  if (typeName.endsWith('_1')) return [size('radiusBottom', fallback), size('radiusTop', fallback)];
  const radius = size('radius', fallback);
  return [radius, radius];
}

function arc(radius: number, height: number, from: number, to: number, steps: number): OutlinePoint[] {
  return Array.from({ length: steps + 1 }, (_, step): OutlinePoint => {
    const angle = from + ((to - from) * step) / steps;
    // The poles are on the axis, exactly.
    const isPole = Math.abs(Math.abs(angle) - Math.PI / 2) < 1e-9;
    const out = isPole ? 0 : Math.cos(angle);
    const up = isPole ? Math.sign(angle) : Math.sin(angle);
    return [radius * out, height + radius * up, out, up];
  });
}

function straight(bottom: number, low: number, top: number, high: number): OutlinePoint[] {
  const length = Math.hypot(high - low, bottom - top) || 1;
  const out = (high - low) / length;
  const up = (bottom - top) / length;
  return [
    [bottom, low, out, up],
    [top, high, out, up],
  ];
}

/** Adds the surface of revolution of an outline around +Z. */
function addRevolved({ points, normals, counts, corners }: Faces, outline: Outline): void {
  for (const part of outline) {
    const first = points.length / 3;
    for (const [radius, height, out, up] of part) {
      for (let step = 0; step < AROUND; step++) {
        const angle = (2 * Math.PI * step) / AROUND;
        points.push(radius * Math.cos(angle), radius * Math.sin(angle), height);
        normals.push(out * Math.cos(angle), out * Math.sin(angle), up);
      }
    }
    for (let ring = 0; ring + 1 < part.length; ring++) {
      for (let step = 0; step < AROUND; step++) {
        const below = first + ring * AROUND;
        const next = (step + 1) % AROUND;
        const quad = [below + step, below + next, below + AROUND + next, below + AROUND + step];
        // At a pole, two corners of the quad coincide.
        if (part[ring][0] === 0) quad.splice(1, 1);
        else if (part[ring + 1][0] === 0) quad.splice(2, 1);
        counts.push(quad.length);
        corners.push(...quad);
      }
    }
  }
}

/** Rotates the axis from +Z to another one. */
function alignAxis({ points, normals }: Faces, axis: 'X' | 'Y' | 'Z'): void {
  if (axis === 'Z') return;
  for (const vectors of [points, normals]) {
    for (let i = 0; i < vectors.length; i += 3) {
      const [x, y, z] = vectors.slice(i, i + 3);
      vectors.splice(i, 3, ...(axis === 'X' ? [z, x, y] : [y, z, x]));
    }
  }
}

/** Adds a rectangle by its center, two half sides whose cross product points out, and the normal. */
function addRectangle(
  { points, normals, counts, corners }: Faces,
  center: readonly number[],
  u: readonly number[],
  v: readonly number[],
  normal: readonly number[],
): void {
  const first = points.length / 3;
  for (const [a, b] of [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ]) {
    for (let c = 0; c < 3; c++) points.push(center[c] + a * u[c] + b * v[c]);
    normals.push(...normal);
  }
  counts.push(4);
  corners.push(first, first + 1, first + 2, first + 3);
}

function axisVector(axis: number, length: number): number[] {
  return [0, 1, 2].map((c) => (c === axis ? length : 0));
}

function addBox(faces: Faces, half: number): void {
  for (let axis = 0; axis < 3; axis++) {
    for (const sign of [1, -1]) {
      const u = axisVector((axis + 1) % 3, sign * half);
      const v = axisVector((axis + 2) % 3, half);
      addRectangle(faces, axisVector(axis, sign * half), u, v, axisVector(axis, sign));
    }
  }
}

/** Adds a plane: its width is along X (along Z if the axis is X), its length along Y (along Z if the axis is Y). */
function addPlane(faces: Faces, axis: 'X' | 'Y' | 'Z', halfWidth: number, halfLength: number): void {
  const center = [0, 0, 0];
  if (axis === 'Z') addRectangle(faces, center, axisVector(0, halfWidth), axisVector(1, halfLength), [0, 0, 1]);
  else if (axis === 'X') addRectangle(faces, center, axisVector(1, halfLength), axisVector(2, halfWidth), [1, 0, 0]);
  else addRectangle(faces, center, axisVector(2, halfLength), axisVector(0, halfWidth), [0, 1, 0]);
}
