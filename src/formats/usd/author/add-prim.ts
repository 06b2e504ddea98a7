import { uniqueName } from '../../../core/text/unique-name.ts';
import type { Layer } from '../layer/layer.ts';
import { childPath } from '../layer/paths.ts';
import { definePrim, type PrimMetadata } from './author-prims.ts';
import { primName } from './prim-names.ts';

/**
 * Adds a prim. Its prim name is the closest valid identifier that is unique among its siblings; the requested name becomes its `displayName`. `layer` is
 * changed in place.
 */
export function addPrim(
  layer: Layer,
  parent: string,
  name: string,
  fallback: string,
  typeName: string,
  metadata: PrimMetadata = {},
): string {
  const isTaken = (own: string): boolean => layer.specs.has(childPath(parent, own));
  const path = childPath(parent, uniqueName(primName(name, fallback), isTaken, '_', 1));
  return definePrim(layer, path, typeName, { displayName: name, ...metadata });
}
