/** Making in-betweens of blend shapes (UsdSkelBlendShape::CreateInbetween). */
import type { Layer } from '../layer/layer.ts';
import { isIdentifier } from '../layer/path-syntax.ts';
import { propertyPath } from '../layer/paths.ts';
import { authorAttribute, primSpec, removeAttribute } from './author-property.ts';
import { isInBetween } from '../skel/deform/blend-shape.ts';
import { numbersOf } from '../skel/typed-values.ts';

/** A shape that a blend shape takes at a weight other than 0 and 1. */
export interface InBetweenInput {
  /** Any number but 0 and 1, and but those of other in-betweens; may be negative and above 1. */
  readonly weight: number;
  /** Offsets of points, 3 floats each, as many as the primary shape has. */
  readonly offsets: ArrayLike<number>;
  /** Offsets of normals alike; left out without. */
  readonly normalOffsets?: ArrayLike<number>;
}

/** How near weights may come to each other before they count as the same, as in OpenUSD. */
const SAME_WEIGHT = 1e-6;

/** Names and weights of the in-betweens of a BlendShape in a layer, in the order of its properties; those without a weight left out. */
export function inBetweensOf(layer: Layer, blendShape: string): { name: string; weight: number }[] {
  const listed = primSpec(layer, blendShape).fields.get('properties');
  const properties = listed?.type === 'names' ? listed.names : [];
  return properties.filter(isInBetween).flatMap((property) => {
    const weight = numbersOf(layer.specs.get(propertyPath(blendShape, property))?.fields.get('weight') ?? null, 1)?.[0];
    return weight === undefined ? [] : [{ name: property.slice('inbetweens:'.length), weight }];
  });
}

/**
 * Sets the in-between `name` of a BlendShape prim in a layer: the attribute `inbetweens:name` with its weight and, with normal offsets,
 * `inbetweens:name:normalOffsets`. One of the same name is replaced. RangeError for what UsdSkel calls an authoring error: a weight that is not
 * finite, of 0, of 1 or of another in-between; for other numbers of offsets than the shape has; for a name that is none; and where the layer has no
 * such prim.
 */
export function setInBetween(layer: Layer, blendShape: string, name: string, inBetween: InBetweenInput): void {
  const { weight, offsets, normalOffsets } = inBetween;
  if (!isIdentifier(name) || name === 'normalOffsets') {
    throw new RangeError(`An in-between is named "${name}", expected letters, digits and _, no digit first.`);
  }
  if (!Number.isFinite(weight))
    throw new RangeError(`The in-between ${name} has weight ${weight}, expected a finite number.`);
  for (const [taken, shape] of [
    [0, 'the null shape'],
    [1, 'the primary shape'],
  ] as const) {
    if (Math.abs(weight - taken) > SAME_WEIGHT) continue;
    throw new RangeError(`The in-between ${name} has weight ${weight}, where ${shape} stands; give it another one.`);
  }
  const twin = inBetweensOf(layer, blendShape).find(
    (other) => other.name !== name && Math.abs(other.weight - weight) <= SAME_WEIGHT,
  );
  if (twin !== undefined) {
    throw new RangeError(
      `The in-between ${name} has weight ${weight}, where ${twin.name} stands; give it another one.`,
    );
  }
  const count = offsetCount(layer, blendShape) ?? offsets.length / 3;
  for (const [what, numbers] of [
    ['offsets', offsets],
    ['normal offsets', normalOffsets ?? []],
  ] as const) {
    if (numbers.length === 3 * count || numbers.length === 0) continue;
    throw new RangeError(
      `The in-between ${name} has ${numbers.length / 3} ${what}, expected ${count} as the shape has.`,
    );
  }
  const property = `inbetweens:${name}`;
  const uniform = { variability: { type: 'word', word: 'uniform' } } as const;
  const vectors = (numbers: ArrayLike<number>) =>
    ({ type: 'float3', isArray: true, numbers: Float32Array.from(numbers) }) as const;
  authorAttribute(layer, blendShape, property, 'point3f[]', vectors(offsets), {
    ...uniform,
    weight: { type: 'float', isArray: false, numbers: Float32Array.of(weight) },
  });
  removeAttribute(layer, blendShape, `${property}:normalOffsets`);
  if (normalOffsets === undefined) return;
  authorAttribute(layer, blendShape, `${property}:normalOffsets`, 'vector3f[]', vectors(normalOffsets), uniform);
}

/** Offsets that a shape has: one for each of its point indices, or as many as its primary shape; null where the layer says neither. */
function offsetCount(layer: Layer, blendShape: string): number | null {
  const size = (name: string, width: number): number => {
    const value = layer.specs.get(propertyPath(blendShape, name))?.fields.get('default') ?? null;
    return (numbersOf(value, width)?.length ?? 0) / width;
  };
  return size('pointIndices', 1) || size('offsets', 3) || size('normalOffsets', 3) || null;
}
