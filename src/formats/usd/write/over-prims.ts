/** Opinions of a layer on prims that other layers, or it itself, define. */
import type { Layer, Spec } from '../layer/layer.ts';
import { primAndAncestors, type Stage } from '../stage/stage.ts';
import { definePrim } from './author-prims.ts';
import { single } from './author-values.ts';

/** A copy whose specs can be changed; values are shared. */
export function copyLayer({ specs, issues }: Layer): Layer {
  const copies = Array.from(specs, ([path, { type, fields }]): [string, Spec] => {
    return [path, { type, fields: new Map(fields) }];
  });
  return { specs: new Map(copies), issues };
}

/**
 * The spec of a prim of a stage in its root layer, added with those above it as `over` where it is missing. An instance above it becomes an ordinary
 * prim: what layers say about prims below instances does not count.
 */
export function ensurePrim(layer: Layer, stage: Stage, path: string): Spec {
  for (const prim of primAndAncestors(stage, path).reverse()) {
    if (!layer.specs.has(prim.path)) definePrim(layer, prim.path, '', { specifier: 'over' });
    if (prim.isInstance && prim.path !== path) {
      layer.specs.get(prim.path)?.fields.set('instanceable', single('bool', 0));
    }
  }
  const spec = layer.specs.get(path);
  if (spec === undefined) throw new RangeError(`The stage has no prim ${path}; give the path of one that it has.`);
  return spec;
}
