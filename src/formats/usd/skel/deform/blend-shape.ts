import { type InBetweenPlan, planInBetweens } from '../../../../core/deform/in-betweens.ts';
import type { MorphTarget } from '../../../../core/deform/morph.ts';
import type { Floats } from '../../../../core/math/floats.ts';
import { type Issue, issue } from '../../../../core/report/issue.ts';
import { attributeValue } from '../../stage/attribute-values.ts';
import { propertyMetadata } from '../../stage/composed-metadata.ts';
import { primAt, type Stage } from '../../stage/stage.ts';
import { numbersOf } from '../typed-values.ts';

/** Offsets of one shape, 3 floats each. An empty array leaves points or normals unchanged. */
interface ShapeOffsets {
  readonly offsets: ArrayLike<number>;
  readonly normalOffsets: ArrayLike<number>;
}

interface InBetweenShape extends ShapeOffsets {
  /** Name without the prefix `inbetweens:`. */
  readonly name: string;
  readonly weight: number;
}

export interface BlendShape {
  readonly prim: string;
  readonly plan: InBetweenPlan;
  /** The primary shape, then the in-betweens in property order. */
  readonly shapes: readonly MorphTarget[];
  /** Names of the in-betweens, in property order. */
  readonly inBetweens: readonly string[];
}

const PREFIX = 'inbetweens:';
const NORMALS = ':normalOffsets';

/**
 * Creates a blend shape from its offsets. `pointIndices`: the point of each offset, also for the in-betweens; null or empty: one offset per point
 * of the mesh.
 */
export function createBlendShape(
  prim: string,
  pointIndices: ArrayLike<number> | null,
  primary: ShapeOffsets,
  inBetweens: readonly InBetweenShape[],
): BlendShape {
  const vertices = pointIndices === null || pointIndices.length === 0 ? null : Int32Array.from(pointIndices);
  const offsets = (numbers: ArrayLike<number>): Floats | null =>
    numbers.length === 0 ? null : Float32Array.from(numbers);
  const target = (shape: ShapeOffsets): MorphTarget => {
    const { normalOffsets } = shape;
    return { vertices, positions: offsets(shape.offsets), normals: offsets(normalOffsets), tangents: null };
  };
  return {
    prim,
    plan: planInBetweens(inBetweens.map(({ weight }) => weight)),
    shapes: [primary, ...inBetweens].map(target),
    inBetweens: inBetweens.map(({ name }) => name),
  };
}

/** Tests whether a property is an in-between: it is in the namespace `inbetweens:` and is not the normal offsets of an in-between. */
export function isInBetween(property: string): boolean {
  return property.startsWith(PREFIX) && property.length > PREFIX.length && !property.endsWith(NORMALS);
}

/** Lists the in-betweens of a prim that have an authored weight, in property order. */
function authoredInBetweens(stage: Stage, prim: string): { property: string; name: string; weight: number }[] {
  return (primAt(stage, prim)?.properties ?? []).filter(isInBetween).flatMap((property) => {
    const weight = numbersOf(propertyMetadata(stage, prim, property, 'weight'), 1)?.[0];
    return weight === undefined ? [] : [{ property, name: property.slice(PREFIX.length), weight }];
  });
}

/** Reports the in-betweens of a BlendShape prim whose weight is 0, 1 or that of another in-between. */
export function inBetweenIssues(stage: Stage, prim: string): Issue[] {
  const inBetweens = authoredInBetweens(stage, prim);
  return planInBetweens(inBetweens.map(({ weight }) => weight)).ignored.map((reason) => {
    const named = reason.replace(/in-between (\d+)/g, (_, i: string) => `the in-between ${inBetweens[Number(i)].name}`);
    return issue('USD_BLEND_SHAPE_INVALID', `BlendShape ${prim}: ${named}; it is ignored.`, { pointer: prim });
  });
}

/**
 * Reads a BlendShape prim. In-betweens without an authored weight are skipped; those at 0, 1 or the weight of another in-between are ignored, see
 * {@link inBetweenIssues}. `pointIndices` may have unsigned integers, as old files do.
 */
export function readBlendShape(stage: Stage, prim: string): BlendShape {
  const vectors = (name: string): ArrayLike<number> => numbersOf(attributeValue(stage, prim, name, 'default'), 3) ?? [];
  const inBetweens = authoredInBetweens(stage, prim).map(({ property, name, weight }): InBetweenShape => {
    const normalOffsets = vectors(`${property}${NORMALS}`);
    return { name, weight, offsets: vectors(property), normalOffsets };
  });
  const primary = { offsets: vectors('offsets'), normalOffsets: vectors('normalOffsets') };
  const indices = numbersOf(attributeValue(stage, prim, 'pointIndices', 'default'), 1);
  return createBlendShape(prim, indices, primary, inBetweens);
}
