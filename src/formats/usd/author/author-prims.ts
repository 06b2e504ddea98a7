/** Authors prims, relationships, connections and time samples in layers. Default values of attributes: author-property.ts. */
import type { FieldValue, Layer } from '../layer/layer.ts';
import { emptyListOp, explicitListOp } from '../layer/list-op.ts';
import { isIdentifier } from '../layer/path-syntax.ts';
import { nameOfPath, parentPath, propertyPath } from '../layer/paths.ts';
import type { Value } from '../layer/value.ts';
import { authorSpec } from './author-property.ts';
import { text } from './author-values.ts';
import { appendChild } from './child-names.ts';

export interface PrimMetadata {
  /** Default: `def`. */
  readonly specifier?: 'def' | 'over' | 'class';
  /** Prepended to those of weaker layers. */
  readonly apiSchemas?: readonly string[];
  /** Not authored if empty or equal to the prim name. */
  readonly displayName?: string;
  /** Model kind: `component`, `assembly`, … */
  readonly kind?: string;
}

/** Creates a layer without prims. `metadata`: layer metadata by name, such as `upAxis` and `metersPerUnit`. */
export function makeLayer(metadata: Readonly<Record<string, FieldValue>>): Layer {
  return { specs: new Map([['/', { type: 'pseudoRoot', fields: new Map(Object.entries(metadata)) }]]), issues: [] };
}

/** Adds a prim after its siblings. `layer` is changed in place. */
export function definePrim(layer: Layer, path: string, typeName: string, metadata: PrimMetadata = {}): string {
  const name = nameOfPath(path);
  const parent = layer.specs.get(parentPath(path));
  if (parent === undefined)
    throw new RangeError(`The layer has no parent prim ${parentPath(path)} for ${path}. Add it first.`);
  if (!isIdentifier(name))
    throw new RangeError(`The prim name is "${name}"; expected letters, digits and _, without a leading digit.`);
  if (layer.specs.has(path)) throw new RangeError(`The layer already has a prim ${path}. Choose another name.`);
  const { specifier = 'def', apiSchemas = [], displayName = '', kind } = metadata;
  const fields = new Map<string, FieldValue>([['specifier', { type: 'word', word: specifier }]]);
  if (typeName !== '') fields.set('typeName', text('token', typeName));
  if (apiSchemas.length > 0) {
    fields.set('apiSchemas', { ...emptyListOp<string>('token'), prepended: [...apiSchemas] });
  }
  if (displayName !== '' && displayName !== name) fields.set('displayName', text('string', displayName));
  if (kind !== undefined) fields.set('kind', text('token', kind));
  appendChild(parent, name);
  layer.specs.set(path, { type: 'prim', fields });
  return path;
}

/** Sets the targets of a relationship. `layer` is changed in place; it has a spec of the prim. */
export function authorRelationship(layer: Layer, prim: string, name: string, targets: readonly string[]): void {
  const fields = new Map<string, FieldValue>([['targetPaths', explicitListOp('path', targets)]]);
  authorSpec(layer, prim, name, { type: 'relationship', fields });
}

/** Adds an attribute without a value, such as a shader output. `layer` is changed in place; it has a spec of the prim. */
export function declareAttribute(layer: Layer, prim: string, name: string, typeName: string): void {
  authorSpec(layer, prim, name, { type: 'attribute', fields: new Map([['typeName', text('token', typeName)]]) });
}

/**
 * Connects an attribute to another one. The attribute is added if the layer has no spec of it; its other fields are kept. `layer` is changed in place;
 * it has a spec of the prim.
 */
export function connectAttribute(layer: Layer, prim: string, name: string, typeName: string, source: string): void {
  const path = propertyPath(prim, name);
  if (layer.specs.get(path)?.type !== 'attribute') declareAttribute(layer, prim, name, typeName);
  layer.specs.get(path)?.fields.set('connectionPaths', explicitListOp('path', [source]));
}

/**
 * Sets an attribute with time samples, one value per time code; it replaces an attribute with the same name. `layer` is changed in place and has a
 * spec of the prim.
 */
export function authorTimeSamples(
  layer: Layer,
  prim: string,
  name: string,
  typeName: string,
  { times, values }: { readonly times: ArrayLike<number>; readonly values: readonly Value[] },
  metadata: Readonly<Record<string, FieldValue>> = {},
): void {
  const codes = Float64Array.from(times);
  if (codes.length !== values.length)
    throw new RangeError(
      `${name} of ${prim} has ${values.length} values for ${codes.length} times; expected one value per time.`,
    );
  if (codes.some((code, i) => !Number.isFinite(code) || (i > 0 && code <= codes[i - 1])))
    throw new RangeError(
      `The times of ${name} of ${prim} are not strictly ascending. Sort them and remove duplicates.`,
    );
  const fields = new Map<string, FieldValue>([
    ['typeName', text('token', typeName)],
    ...Object.entries(metadata),
    ['timeSamples', { type: 'timeSamples', times: codes, values }],
  ]);
  authorSpec(layer, prim, name, { type: 'attribute', fields });
}
