/** Reads prims bound to a skeleton with their own and inherited binding properties, as UsdSkelSkinningQuery does. */
import * as mat4 from '../../../core/math/mat4.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { attributeValue, hasAuthoredValue } from '../stage/attribute-values.ts';
import { propertyMetadata } from '../stage/composed-metadata.ts';
import { forwardedTargetsOf } from '../stage/relationship-targets.ts';
import type { Stage, Time } from '../stage/stage.ts';
import {
  createInfluences,
  declareInfluences,
  flattenPrimvar,
  type InfluenceDeclaration,
  type InfluenceReading,
  type PrimvarDeclaration,
} from './joint-influences.ts';
import { numbersOf, readTokens, textsOf, typeNameAt } from './typed-values.ts';

/** Attributes of UsdSkelBindingAPI that prims inherit from ancestors, each separately. */
export const INHERITED_ATTRIBUTES = [
  'primvars:skel:jointIndices',
  'primvars:skel:jointWeights',
  'primvars:skel:skinningMethod',
  'primvars:skel:geomBindTransform',
  'skel:joints',
] as const;

/**
 * An attribute of UsdSkelBindingAPI that prims inherit.
 *
 * @useDeclaredType
 */
export type InheritedAttribute = (typeof INHERITED_ATTRIBUTES)[number];

/** Path of the prim with the nearest authored value, per inherited attribute. Attributes without an authored value are missing. */
export type AttributeHolders = ReadonlyMap<InheritedAttribute, string>;

/** A prim below a SkelRoot that is bound to a skeleton. Plain data; values are read from the stage when they are needed. */
export interface BoundPrim {
  /** Path of the prim. */
  readonly prim: string;
  /** Schema type. */
  readonly typeName: string;
  /** Prims with the nearest authored values. */
  readonly holders: AttributeHolders;
  /** Declaration of the joint influences. */
  readonly influences: InfluenceDeclaration;
  /** `classicLinear` or `dualQuaternion`. Other tokens are kept; the prim is then not skinned. */
  readonly method: string;
  /** Joint order of the influences; null: that of the skeleton. */
  readonly joints: readonly string[] | null;
  /** Names of its blend shapes, not inherited; null without. */
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

/** Reads the bindings of a prim. `ownsBinding`: true if the binding properties of the prim itself count. */
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
    const message = `${prim} is not skinned: ${influences.reason}.`;
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
  // An authored empty list of targets is valid: it disables the blend shapes.
  if (blendShapeTargets.length > 0) {
    const message = `${prim} has ${blendShapes.length} skel:blendShapes and ${blendShapeTargets.length} skel:blendShapeTargets, which are ignored. Author as many names as targets.`;
    issues.push(issue('USD_BLEND_SHAPE_INVALID', message, { pointer: prim }));
  }
  return { ...bound, blendShapes, blendShapeTargets: [] };
}

/** Tests whether a prim declares blend shapes. They may have no valid targets. */
export function hasBlendShapes({ blendShapes }: BoundPrim): boolean {
  return blendShapes !== null;
}

/**
 * Reads the GeomBindTransform, which transforms the points of a prim to the space of the bind pose. `time`: time code, or `default` for default
 * values. Returns matrix of 16 floats; the identity if none is authored.
 */
export function geomBindTransform(stage: Stage, { holders }: BoundPrim, time: Time): Float64Array {
  const holder = holders.get('primvars:skel:geomBindTransform');
  const name = 'primvars:skel:geomBindTransform';
  const matrix = holder === undefined ? null : numbersOf(attributeValue(stage, holder, name, time), MATRIX_STRIDE);
  if (matrix !== null && matrix.length === MATRIX_STRIDE) return Float64Array.from(matrix);
  return mat4.createIdentity();
}

function primvarValues(stage: Stage, bound: BoundPrim, name: InheritedAttribute, time: Time): ArrayLike<number> | null {
  const holder = bound.holders.get(name);
  if (holder === undefined) return null;
  const values = numbersOf(attributeValue(stage, holder, name, time), 1);
  if (values === null || !hasAuthoredValue(stage, holder, `${name}:indices`)) return values;
  const indices = numbersOf(attributeValue(stage, holder, `${name}:indices`, time), 1);
  return indices === null ? values : flattenPrimvar(values, indices, bound.influences.jointsPerVertex);
}

/** Reads the joint influences of a prim at a time. Indexed primvars are flattened. */
export function readInfluences(stage: Stage, bound: BoundPrim, time: Time): InfluenceReading {
  const indices = primvarValues(stage, bound, 'primvars:skel:jointIndices', time);
  const weights = primvarValues(stage, bound, 'primvars:skel:jointWeights', time);
  if (bound.influences.hasInfluences && (indices === null || weights === null)) {
    return {
      influences: null,
      reason: 'jointIndices or jointWeights have no value of the expected type, or primvar indices are out of range',
    };
  }
  return createInfluences(bound.influences, indices ?? [], weights ?? []);
}
