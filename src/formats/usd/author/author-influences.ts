import type { Influences } from '../../../core/deform/influences.ts';
import type { Layer, ListOp } from '../layer/layer.ts';
import { applyListOp, emptyListOp } from '../layer/list-op.ts';
import { authorAttribute, primSpec } from './author-property.ts';

/**
 * Applies SkelBindingAPI to a prim, unless it is applied already. Bindings without the API schema are ignored. `layer` is changed in place; it has a
 * spec of the prim.
 */
export function applyBindingApi(layer: Layer, prim: string): void {
  const { fields } = primSpec(layer, prim);
  const field = fields.get('apiSchemas');
  const op =
    field?.type === 'listOp' && field.of === 'token' ? (field as ListOp<string>) : emptyListOp<string>('token');
  if (applyListOp(op, [], (name) => name).includes('SkelBindingAPI')) return;
  const edit: ListOp<string> =
    op.explicit === null
      ? { ...op, prepended: [...op.prepended, 'SkelBindingAPI'] }
      : { ...op, explicit: [...op.explicit, 'SkelBindingAPI'] };
  fields.set('apiSchemas', edit as ListOp<string>);
}

/**
 * Authors the joint influences of a prim: applies SkelBindingAPI and sets `primvars:skel:jointIndices` and `primvars:skel:jointWeights` with
 * interpolation and element size. Rigid prims have constant influences: `{ kind: 'constant', jointsPerVertex: 1, indices: [joint], weights: [1] }`.
 * `layer` is changed in place; it has a spec of the prim.
 */
export function setInfluences(layer: Layer, prim: string, influences: Influences): void {
  const { kind, jointsPerVertex, indices, weights } = influences;
  const metadata = {
    elementSize: { type: 'int', isArray: false, numbers: Int32Array.of(jointsPerVertex) },
    interpolation: { type: 'token', isArray: false, texts: [kind] },
  } as const;
  applyBindingApi(layer, prim);
  const indexValues = { type: 'int', isArray: true, numbers: Int32Array.from(indices) } as const;
  const weightValues = { type: 'float', isArray: true, numbers: Float32Array.from(weights) } as const;
  authorAttribute(layer, prim, 'primvars:skel:jointIndices', 'int[]', indexValues, metadata);
  authorAttribute(layer, prim, 'primvars:skel:jointWeights', 'float[]', weightValues, metadata);
}
