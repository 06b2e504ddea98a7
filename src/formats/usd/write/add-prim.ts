/** Prims with the names that users gave, as far as USD takes them. */
import type { Layer } from '../layer/layer.ts';
import { childPath } from '../layer/paths.ts';
import { definePrim, type PrimMetadata } from './author-prims.ts';
import { primName, unusedName } from './prim-names.ts';

/**
 * Adds a prim below another one, of the name that comes nearest to `name` and that none of its siblings has; what was asked for becomes its
 * displayName. Its path comes out.
 */
export function addPrim(
  layer: Layer,
  parent: string,
  name: string,
  fallback: string,
  typeName: string,
  metadata: PrimMetadata = {},
): string {
  const listed = layer.specs.get(parent)?.fields.get('primChildren');
  const siblings = new Set(listed?.type === 'names' ? listed.names : []);
  const path = childPath(parent, unusedName(primName(name, fallback), siblings));
  return definePrim(layer, path, typeName, { displayName: name, ...metadata });
}
