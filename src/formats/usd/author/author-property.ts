import type { FieldValue, Layer, Spec } from '../layer/layer.ts';
import { propertyPath } from '../layer/paths.ts';
import type { Value } from '../layer/value.ts';

export function primSpec(layer: Layer, prim: string): Spec {
  const spec = layer.specs.get(prim);
  if (spec?.type === 'prim') return spec;
  throw new RangeError(
    `The layer has no spec of the prim ${prim}. Pass the path of an existing prim, or define it first.`,
  );
}

/** Sets the spec of a property; a property with the same name is replaced. `layer` is changed in place; it has a spec of the prim. */
export function authorSpec(layer: Layer, prim: string, name: string, spec: Spec): void {
  const owner = primSpec(layer, prim);
  const listed = owner.fields.get('properties');
  const names = listed?.type === 'names' ? listed.names : [];
  if (!names.includes(name)) owner.fields.set('properties', { type: 'names', names: [...names, name] });
  layer.specs.set(propertyPath(prim, name), spec);
}

/**
 * Sets an attribute: its type, default value and metadata. An attribute with the same name is replaced. `layer` is changed in place; it has a spec of
 * the prim.
 */
export function authorAttribute(
  layer: Layer,
  prim: string,
  name: string,
  typeName: string,
  value: Value,
  metadata: Readonly<Record<string, FieldValue>> = {},
): void {
  const fields = new Map<string, FieldValue>([
    ['typeName', { type: 'token', isArray: false, texts: [typeName] }],
    ...Object.entries(metadata),
    ['default', value],
  ]);
  authorSpec(layer, prim, name, { type: 'attribute', fields });
}

/** Removes an attribute, if the layer has it. `layer` is changed in place; it has a spec of the prim. */
export function removeAttribute(layer: Layer, prim: string, name: string): void {
  const owner = primSpec(layer, prim);
  const listed = owner.fields.get('properties');
  if (listed?.type === 'names') {
    owner.fields.set('properties', { type: 'names', names: listed.names.filter((listedName) => listedName !== name) });
  }
  layer.specs.delete(propertyPath(prim, name));
}
