import type { Layer, Spec } from '../layer/layer.ts';
import { primAndAncestors, type Stage } from '../stage/stage.ts';
import { definePrim } from './author-prims.ts';
import { single } from './author-values.ts';
import { shareValue } from './child-names.ts';

/** Copies a layer so that the specs of the copy can be changed. Values are shared. */
export function copyLayer({ specs, issues }: Layer): Layer {
  const copies = Array.from(specs, ([path, { type, fields }]): [string, Spec] => {
    for (const value of fields.values()) shareValue(value);
    return [path, { type, fields: new Map(fields) }];
  });
  return { specs: new Map(copies), issues };
}

/**
 * Returns the spec of a prim in the root layer of a stage; missing specs of the prim and its ancestors are added as `over`. Instances among the
 * ancestors become ordinary prims, because opinions on descendants of instances are ignored. `layer`: the root layer, changed in place.
 */
export function overridePrim(layer: Layer, stage: Stage, path: string): Spec {
  for (const prim of primAndAncestors(stage, path).reverse()) {
    if (!layer.specs.has(prim.path)) definePrim(layer, prim.path, '', { specifier: 'over' });
    if (prim.isInstance && prim.path !== path) {
      layer.specs.get(prim.path)?.fields.set('instanceable', single('bool', 0));
    }
  }
  const spec = layer.specs.get(path);
  if (spec === undefined) throw new RangeError(`The stage has no prim ${path}. Pass the path of an existing prim.`);
  return spec;
}
