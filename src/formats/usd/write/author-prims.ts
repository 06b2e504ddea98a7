/** Writing prims, relationships, connections and time samples into layers; plain attributes are in skel/author-property.ts. */
import type { FieldValue, Layer } from '../layer/layer.ts';
import { emptyListOp, explicitListOp } from '../layer/list-op.ts';
import { isIdentifier } from '../layer/path-syntax.ts';
import { nameOfPath, parentPath, propertyPath } from '../layer/paths.ts';
import type { Value } from '../layer/value.ts';
import { authorSpec } from '../skel/author-property.ts';
import { text } from './author-values.ts';

/** What a new prim says about itself beside its type. */
export interface PrimMetadata {
  /** `def` unless said otherwise. */
  readonly specifier?: 'def' | 'over' | 'class';
  /** Applied before those of weaker layers. */
  readonly apiSchemas?: readonly string[];
  /** Left out when empty or the name of the prim. */
  readonly displayName?: string;
  /** `component`, `assembly`, … */
  readonly kind?: string;
}

/** A layer without prims. `metadata`: fields of the layer by name, such as `upAxis` and `metersPerUnit`. */
export function makeLayer(metadata: Readonly<Record<string, FieldValue>>): Layer {
  return { specs: new Map([['/', { type: 'pseudoRoot', fields: new Map(Object.entries(metadata)) }]]), issues: [] };
}

/** Adds a prim behind its siblings; its path comes out. RangeError when the prim above is missing, for a name that is none, and where there is one already. */
export function definePrim(layer: Layer, path: string, typeName: string, metadata: PrimMetadata = {}): string {
  const name = nameOfPath(path);
  const parent = layer.specs.get(parentPath(path));
  if (parent === undefined)
    throw new RangeError(`The layer has no prim ${parentPath(path)} above ${path}; add it first.`);
  if (!isIdentifier(name))
    throw new RangeError(`A prim is named "${name}", expected letters, digits and _, no digit first.`);
  if (layer.specs.has(path)) throw new RangeError(`The layer already has a prim ${path}; give another name.`);
  const { specifier = 'def', apiSchemas = [], displayName = '', kind } = metadata;
  const fields = new Map<string, FieldValue>([['specifier', { type: 'word', word: specifier }]]);
  if (typeName !== '') fields.set('typeName', text('token', typeName));
  if (apiSchemas.length > 0) {
    fields.set('apiSchemas', { ...emptyListOp<string>('token'), prepended: [...apiSchemas] });
  }
  if (displayName !== '' && displayName !== name) fields.set('displayName', text('string', displayName));
  if (kind !== undefined) fields.set('kind', text('token', kind));
  const listed = parent.fields.get('primChildren');
  parent.fields.set('primChildren', {
    type: 'names',
    names: listed?.type === 'names' ? [...listed.names, name] : [name],
  });
  layer.specs.set(path, { type: 'prim', fields });
  return path;
}

/** Sets a relationship of a prim that the layer has to exactly these targets, absolute paths. */
export function authorRelationship(layer: Layer, prim: string, name: string, targets: readonly string[]): void {
  const fields = new Map<string, FieldValue>([['targetPaths', explicitListOp('path', targets)]]);
  authorSpec(layer, prim, name, { type: 'relationship', fields });
}

/** Adds an attribute without a value to a prim that the layer has: outputs of shaders. */
export function declareAttribute(layer: Layer, prim: string, name: string, typeName: string): void {
  authorSpec(layer, prim, name, { type: 'attribute', fields: new Map([['typeName', text('token', typeName)]]) });
}

/**
 * Connects an attribute to another one, given by its path `/A/B.outputs:rgb`. What else the layer says about the attribute stays; one that is not
 * there is added.
 */
export function connectAttribute(layer: Layer, prim: string, name: string, typeName: string, source: string): void {
  const path = propertyPath(prim, name);
  if (layer.specs.get(path)?.type !== 'attribute') declareAttribute(layer, prim, name, typeName);
  layer.specs.get(path)?.fields.set('connectionPaths', explicitListOp('path', [source]));
}

/**
 * Sets an attribute of a prim that the layer has to values at time codes, in place of one of the same name. RangeError for times that do not rise, and
 * for other numbers of values.
 */
export function authorTimeSamples(
  layer: Layer,
  prim: string,
  name: string,
  typeName: string,
  times: ArrayLike<number>,
  values: readonly Value[],
  metadata: Readonly<Record<string, FieldValue>> = {},
): void {
  const codes = Float64Array.from(times);
  if (codes.length !== values.length)
    throw new RangeError(`${name} of ${prim} has ${values.length} values at ${codes.length} times, expected as many.`);
  if (codes.some((code, i) => !Number.isFinite(code) || (i > 0 && code <= codes[i - 1])))
    throw new RangeError(`The times of ${name} of ${prim} do not rise; sort them and leave out doubles.`);
  const fields = new Map<string, FieldValue>([
    ['typeName', text('token', typeName)],
    ...Object.entries(metadata),
    ['timeSamples', { type: 'timeSamples', times: codes, values }],
  ]);
  authorSpec(layer, prim, name, { type: 'attribute', fields });
}
