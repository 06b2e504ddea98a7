/** BlendShape prims: a shape as offsets of points and normals, and in-betweens. */

import { type InBetweenPlan, planInBetweens } from '../../../core/deform/in-betweens.ts';
import type { MorphTarget } from '../../../core/deform/morph.ts';
import type { Floats } from '../../../core/math/floats.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { propertyMetadata } from '../stage/metadata.ts';
import { primAt, type Stage } from '../stage/stage.ts';
import { attributeValue } from '../stage/values.ts';
import { numbersOf } from './stage-reading.ts';

/** Offsets of one shape, 3 floats each; empty: it leaves points or normals alone. */
export interface ShapeOffsets {
  readonly offsets: ArrayLike<number>;
  readonly normalOffsets: ArrayLike<number>;
}

/** A shape at another weight than 1. */
export interface InBetweenShape extends ShapeOffsets {
  readonly name: string;
  readonly weight: number;
}

/** A blend shape ready to be applied. Plain data. */
export interface BlendShape {
  readonly prim: string;
  readonly plan: InBetweenPlan;
  /** The primary shape, then the in-betweens in the order of the prim. */
  readonly shapes: readonly MorphTarget[];
  /** Names of the in-betweens. */
  readonly inBetweens: readonly string[];
}

const PREFIX = 'inbetweens:';
const NORMALS = ':normalOffsets';

/** A blend shape of its offsets. Of no `pointIndices` (null or empty) the offsets are for all points. In-betweens use the same ones. */
export function makeBlendShape(
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

/** Whether a property is an in-between: in the namespace `inbetweens:`, and not the normal offsets of one. */
export function isInBetween(property: string): boolean {
  return property.startsWith(PREFIX) && property.length > PREFIX.length && !property.endsWith(NORMALS);
}

/** The in-betweens of a prim that have a weight, in the order of its properties. */
function authoredInBetweens(stage: Stage, prim: string): { property: string; name: string; weight: number }[] {
  return (primAt(stage, prim)?.properties ?? []).filter(isInBetween).flatMap((property) => {
    const weight = numbersOf(propertyMetadata(stage, prim, property, 'weight'), 1)?.[0];
    return weight === undefined ? [] : [{ property, name: property.slice(PREFIX.length), weight }];
  });
}

/** Tells of in-betweens of a BlendShape prim that stand at 0, at 1 or at the weight of another one: they are ignored. */
export function tellInBetweens(stage: Stage, prim: string, issues: Issue[]): void {
  const inBetweens = authoredInBetweens(stage, prim);
  for (const reason of planInBetweens(inBetweens.map(({ weight }) => weight)).ignored) {
    const named = reason.replace(/in-between (\d+)/g, (_, i: string) => `the in-between ${inBetweens[Number(i)].name}`);
    issues.push(issue('USD_BLEND_SHAPE_INVALID', `BlendShape ${prim}: ${named}; it is ignored.`, { pointer: prim }));
  }
}

/**
 * The blend shape of a BlendShape prim. An in-between without an authored weight is none; one at 0, at 1 or at the weight of another one is
 * an error of the file, told in `issues`, and ignored. `pointIndices` may be of unsigned integers, as in old files.
 */
export function readBlendShape(stage: Stage, prim: string, issues: Issue[]): BlendShape {
  const vectors = (name: string): ArrayLike<number> => numbersOf(attributeValue(stage, prim, name, 'default'), 3) ?? [];
  const inBetweens = authoredInBetweens(stage, prim).map(({ property, name, weight }): InBetweenShape => {
    const normalOffsets = vectors(`${property}${NORMALS}`);
    return { name, weight, offsets: vectors(property), normalOffsets };
  });
  tellInBetweens(stage, prim, issues);
  const primary = { offsets: vectors('offsets'), normalOffsets: vectors('normalOffsets') };
  const indices = numbersOf(attributeValue(stage, prim, 'pointIndices', 'default'), 1);
  return makeBlendShape(prim, indices, primary, inBetweens);
}
