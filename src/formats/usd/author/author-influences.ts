/** Writing joint influences onto prims (UsdSkelBindingAPI). */
import type { Influences } from '../../../core/deform/influences.ts';
import type { Layer, ListOp } from '../layer/layer.ts';
import { applyListOp, emptyListOp } from '../layer/list-op.ts';
import { authorAttribute, primSpec } from './author-property.ts';

/** Applies SkelBindingAPI to a prim that a layer has, where it is not: without it bindings do not count. */
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
 * Sets the joint influences of a prim that a layer has: `primvars:skel:jointIndices` and `jointWeights` with their interpolation and
 * element size. A rigid prim gets constant ones: `{ kind: 'constant', jointsPerVertex: 1, indices: [joint], weights: [1] }`.
 */
export function setInfluences(layer: Layer, prim: string, influences: Influences): void {
  const { kind, jointsPerVertex, indices, weights } = influences;
  const metadata = {
    elementSize: { type: 'int', isArray: false, numbers: Int32Array.of(jointsPerVertex) },
    interpolation: { type: 'token', isArray: false, texts: [kind] },
  } as const;
  applyBindingApi(layer, prim);
  const joints = { type: 'int', isArray: true, numbers: Int32Array.from(indices) } as const;
  const strengths = { type: 'float', isArray: true, numbers: Float32Array.from(weights) } as const;
  authorAttribute(layer, prim, 'primvars:skel:jointIndices', 'int[]', joints, metadata);
  authorAttribute(layer, prim, 'primvars:skel:jointWeights', 'float[]', strengths, metadata);
}
