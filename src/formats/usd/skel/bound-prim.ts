/** A prim that a skeleton deforms: what its bindings say, its own and those that it inherits, as UsdSkelSkinningQuery has it. */

import * as mat4 from '../../../core/math/mat4.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { propertyMetadata } from '../stage/composed-metadata.ts';
import type { Stage, Time } from '../stage/stage.ts';
import { forwardedTargetsOf } from '../stage/relationship-targets.ts';
import { attributeValue, hasAuthoredValue } from '../stage/attribute-values.ts';
import {
  declareInfluences,
  flattenPrimvar,
  type InfluenceDeclaration,
  type InfluenceReading,
  type PrimvarDeclaration,
  createInfluences,
} from './joint-influences.ts';
import { numbersOf, readTokens, textsOf, typeNameAt } from './typed-values.ts';

/** Properties of UsdSkelBindingAPI that go down the tree, each for itself. */
export const INHERITED_ATTRIBUTES = [
  'primvars:skel:jointIndices',
  'primvars:skel:jointWeights',
  'primvars:skel:skinningMethod',
  'primvars:skel:geomBindTransform',
  'skel:joints',
] as const;

export type InheritedAttribute = (typeof INHERITED_ATTRIBUTES)[number];

/** Which prim has the nearest value of each inherited attribute; none where nobody has. */
export type AttributeHolders = ReadonlyMap<InheritedAttribute, string>;

/** A prim below a SkelRoot that is bound to a skeleton. Plain data, but for what its holders lead to. */
export interface BoundPrim {
  readonly prim: string;
  readonly typeName: string;
  readonly holders: AttributeHolders;
  readonly influences: InfluenceDeclaration;
  /** `classicLinear` or `dualQuaternion`; another word is kept, and skins nothing. */
  readonly method: string;
  /** Joint order of the influences; null: that of the skeleton. */
  readonly joints: readonly string[] | null;
  /** Names of its blend shapes, of the prim itself; null without. */
  readonly blendShapes: readonly string[] | null;
  /** Paths of its BlendShape prims, as many as names; null without. */
  readonly blendShapeTargets: readonly string[] | null;
}

function declarationOf(stage: Stage, prim: string | undefined, name: InheritedAttribute): PrimvarDeclaration | null {
  if (prim === undefined) return null;
  const elementSize = numbersOf(propertyMetadata(stage, prim, name, 'elementSize'), 1)?.[0] ?? 1;
  return {
    elementSize,
    interpolation: textsOf(propertyMetadata(stage, prim, name, 'interpolation'))?.[0] ?? 'constant',
  };
}

/** The bindings of a prim. `ownsBinding`: whether its own properties count (see the API schema). What is odd goes to `issues`. */
export function readBoundPrim(
  stage: Stage,
  prim: string,
  holders: AttributeHolders,
  ownsBinding: boolean,
  issues: Issue[],
): BoundPrim {
  const at = (name: InheritedAttribute): string | undefined => holders.get(name);
  const influences = declareInfluences(
    declarationOf(stage, at('primvars:skel:jointIndices'), 'primvars:skel:jointIndices'),
    declarationOf(stage, at('primvars:skel:jointWeights'), 'primvars:skel:jointWeights'),
  );
  if (influences.reason !== null) {
    const message = `${prim}: ${influences.reason}; joints do not move it.`;
    issues.push(issue('USD_INFLUENCES_INVALID', message, { pointer: prim }));
  }
  const tokens = (name: InheritedAttribute): readonly string[] | null => {
    const holder = at(name);
    return holder === undefined ? null : readTokens(stage, holder, name);
  };
  const bound = {
    prim,
    typeName: typeNameAt(stage, prim) ?? '',
    holders,
    influences,
    method: tokens('primvars:skel:skinningMethod')?.[0] ?? 'classicLinear',
    joints: tokens('skel:joints'),
  };
  const blendShapes = ownsBinding ? readTokens(stage, prim, 'skel:blendShapes') : null;
  const blendShapeTargets = ownsBinding ? forwardedTargetsOf(stage, prim, 'skel:blendShapeTargets') : null;
  if (blendShapes === null || blendShapeTargets === null)
    return { ...bound, blendShapes: null, blendShapeTargets: null };
  if (blendShapes.length === blendShapeTargets.length) return { ...bound, blendShapes, blendShapeTargets };
  // A list of targets that is there but empty stays: nothing is deformed, and nothing is wrong.
  if (blendShapeTargets.length > 0) {
    const message = `${prim} has ${blendShapes.length} blend shapes and ${blendShapeTargets.length} targets of them; give as many of both. They are ignored.`;
    issues.push(issue('USD_BLEND_SHAPE_INVALID', message, { pointer: prim }));
  }
  return { ...bound, blendShapes, blendShapeTargets: [] };
}

/** Whether a prim has blend shapes, though there may be none behind them. */
export function hasBlendShapes({ blendShapes }: BoundPrim): boolean {
  return blendShapes !== null;
}

/** The matrix that takes points of a prim into the space of the bind pose, 16 floats; the identity where there is none. */
export function geomBindTransform(stage: Stage, { holders }: BoundPrim, time: Time): Float64Array {
  const holder = holders.get('primvars:skel:geomBindTransform');
  const name = 'primvars:skel:geomBindTransform';
  const matrix = holder === undefined ? null : numbersOf(attributeValue(stage, holder, name, time), MATRIX_STRIDE);
  if (matrix !== null && matrix.length === MATRIX_STRIDE) return Float64Array.from(matrix);
  const identity = new Float64Array(MATRIX_STRIDE);
  mat4.identity(identity, 0);
  return identity;
}

function primvarValues(stage: Stage, bound: BoundPrim, name: InheritedAttribute, time: Time): ArrayLike<number> | null {
  const holder = bound.holders.get(name);
  if (holder === undefined) return null;
  const values = numbersOf(attributeValue(stage, holder, name, time), 1);
  if (values === null || !hasAuthoredValue(stage, holder, `${name}:indices`)) return values;
  const indices = numbersOf(attributeValue(stage, holder, `${name}:indices`, time), 1);
  return indices === null ? values : flattenPrimvar(values, indices, bound.influences.jointsPerVertex);
}

/** The joint influences of a prim at a time, indexed ones written out; null with a reason where its arrays are none. */
export function readInfluences(stage: Stage, bound: BoundPrim, time: Time): InfluenceReading {
  const indices = primvarValues(stage, bound, 'primvars:skel:jointIndices', time);
  const weights = primvarValues(stage, bound, 'primvars:skel:jointWeights', time);
  if (bound.influences.hasInfluences && (indices === null || weights === null)) {
    return {
      influences: null,
      reason: 'jointIndices or jointWeights have no values of their type, or indices beyond them',
    };
  }
  return createInfluences(bound.influences, indices ?? [], weights ?? []);
}
