import type { IssueCode } from '../report/codes.ts';
import { FormatError } from '../report/format-error.ts';
import type { Geometry } from './geometry.ts';
import { skinnedParts } from './skeleton-vertices.ts';

/** Maximum number of floats in all meshes of a file: one gigabyte. In a damaged file many parts may reference the same arrays. */
const MAX_NUMBERS = 2 ** 28;

export interface GeometryBudget {
  /** Reserves room for some numbers before they are allocated. @throws FormatError with the code of the budget once it is exhausted. */
  readonly take: (numbers: number) => void;
}

export function geometryBudget(code: IssueCode): GeometryBudget {
  let left = MAX_NUMBERS;
  return {
    take(numbers) {
      left -= numbers;
      if (left >= 0) return;
      const message = `The meshes exceed the limit of ${MAX_NUMBERS} numbers. Export fewer meshes, or export without subdivision.`;
      throw new FormatError(code, message);
    },
  };
}

/**
 * Vertices that writing an instance of a primitive costs besides its own: a mesh of three vertices takes as much time and memory as one of about a
 * hundred (measured by `convert` of 90,000 triangles to .usdz).
 */
const INSTANCE_COST = 100;

export function countInstancedVertices({ instances, meshes }: Geometry): number {
  const counts = meshes.map(({ primitives }) =>
    primitives.reduce((sum, { vertexCount }) => sum + vertexCount + INSTANCE_COST, 0),
  );
  return instances.reduce((sum, { mesh }) => sum + counts[mesh], 0);
}

/** Counts the points that the instances of a geometry become where equal skinned meshes are shared: see `skinnedParts`. */
export function countPointsOfInstances(geometry: Geometry): number {
  const { instances, meshes } = geometry;
  const counts = meshes.map(({ primitives }) => primitives.reduce((sum, { vertexCount }) => sum + vertexCount, 0));
  const rigid = instances.reduce((sum, { mesh, skin }) => sum + (skin < 0 ? counts[mesh] : 0), 0);
  return skinnedParts(geometry).reduce((sum, { primitive }) => sum + primitive.vertexCount, rigid);
}
