import type { Layer } from '../layer/layer.ts';
import { isIdentifier } from '../layer/path-syntax.ts';
import { propertyPath } from '../layer/paths.ts';
import { isInBetween } from '../skel/deform/blend-shape.ts';
import { numbersOf } from '../skel/typed-values.ts';
import { authorAttribute, primSpec, removeAttribute } from './author-property.ts';

/** The shape of a blend shape at a weight other than 0 and 1. */
interface InBetweenInput {
  /** Any finite number except 0, 1 and the weights of other in-betweens; may be negative or above 1. */
  readonly weight: number;
  /** Offsets of points, 3 floats each, as many as the primary shape has. */
  readonly offsets: ArrayLike<number>;
  /** Offsets of normals, as many; omit to leave normals unchanged. */
  readonly normalOffsets?: ArrayLike<number>;
}

/** Weights that differ by at most this are equal, as in OpenUSD. */
const WEIGHT_TOLERANCE = 1e-6;

/** Lists the in-betweens of a BlendShape in a layer. Those without a weight are skipped. */
export function inBetweensOf(layer: Layer, blendShape: string): { name: string; weight: number }[] {
  const listed = primSpec(layer, blendShape).fields.get('properties');
  const properties = listed?.type === 'names' ? listed.names : [];
  return properties.filter(isInBetween).flatMap((property) => {
    const weight = numbersOf(layer.specs.get(propertyPath(blendShape, property))?.fields.get('weight') ?? null, 1)?.[0];
    return weight === undefined ? [] : [{ name: property.slice('inbetweens:'.length), weight }];
  });
}

/**
 * Authors an in-between of a BlendShape prim: the attribute `inbetweens:name` with its weight and, with normal offsets,
 * `inbetweens:name:normalOffsets`. An in-between with the same name is replaced.
 *
 * @param layer The layer, changed in place; it has a spec of the prim.
 * @param blendShape Path of the BlendShape prim.
 * @param name Name of the in-between, an identifier.
 * @param inBetween Weight and offsets.
 * @throws RangeError if the name is invalid, the weight is not finite or is 0, 1 or that of another in-between, the number of offsets differs from
 *   that of the primary shape, or the layer has no spec of the prim.
 */
export function setInBetween(layer: Layer, blendShape: string, name: string, inBetween: InBetweenInput): void {
  const { weight, offsets, normalOffsets } = inBetween;
  if (!isIdentifier(name) || name === 'normalOffsets') {
    throw new RangeError(
      `The in-between name is "${name}"; expected ASCII letters, digits and _, not starting with a digit, and not normalOffsets.`,
    );
  }
  if (!Number.isFinite(weight))
    throw new RangeError(`The in-between ${name} has weight ${weight}; expected a finite number.`);
  for (const [taken, shape] of [
    [0, 'the null shape'],
    [1, 'the primary shape'],
  ] as const) {
    if (Math.abs(weight - taken) > WEIGHT_TOLERANCE) continue;
    throw new RangeError(
      `The in-between ${name} has weight ${weight}, which is the weight of ${shape}. Choose another weight.`,
    );
  }
  const duplicate = inBetweensOf(layer, blendShape).find(
    (other) => other.name !== name && Math.abs(other.weight - weight) <= WEIGHT_TOLERANCE,
  );
  if (duplicate !== undefined) {
    throw new RangeError(
      `The in-between ${name} has weight ${weight}, which is the weight of ${duplicate.name}. Choose another weight.`,
    );
  }
  const count = offsetCount(layer, blendShape) ?? offsets.length / 3;
  for (const [what, numbers] of [
    ['offsets', offsets],
    ['normal offsets', normalOffsets ?? []],
  ] as const) {
    if (numbers.length === 3 * count || numbers.length === 0) continue;
    throw new RangeError(
      `The in-between ${name} has ${numbers.length / 3} ${what}; expected ${count}, as the primary shape has.`,
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

/** Returns the number of offsets of a shape: one per point index, or as many as its primary shape has; null if the layer has neither. */
function offsetCount(layer: Layer, blendShape: string): number | null {
  const size = (name: string, width: number): number => {
    const value = layer.specs.get(propertyPath(blendShape, name))?.fields.get('default') ?? null;
    return (numbersOf(value, width)?.length ?? 0) / width;
  };
  return size('pointIndices', 1) || size('offsets', 3) || size('normalOffsets', 3) || null;
}
