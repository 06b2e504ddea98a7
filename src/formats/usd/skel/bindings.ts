/** Which prims below a SkelRoot are bound to which skeleton and animation, by the inheritance rules of UsdSkelCache. */

import type { Issue } from '../../../core/report/issue.ts';
import type { Stage } from '../stage/stage.ts';
import { hasAuthoredValue } from '../stage/attribute-values.ts';
import {
  type AnimationBinding,
  inheritedAnimation,
  animationOfSkeleton,
  type BindingRules,
  usesBindingProperties,
  createBindingRules,
  bindingTarget,
} from './binding-rules.ts';
import {
  type AttributeHolders,
  type BoundPrim,
  INHERITED_ATTRIBUTES,
  type InheritedAttribute,
  readBoundPrim,
} from './bound-prim.ts';
import { isImageable, isSkinnable } from './prim-types.ts';
import { childrenReversed, typeNameAt } from './typed-values.ts';

/** A skeleton that moves by one animation, and all prims that go with it. */
export interface SkelBinding {
  readonly skeleton: string;
  /** The SkelAnimation; null: the rest pose. */
  readonly animation: string | null;
  readonly prims: readonly BoundPrim[];
}

/** What is bound below a SkelRoot. */
export interface SkelRootBindings {
  readonly root: string;
  /** In the order in which the skeletons are met. */
  readonly bindings: readonly SkelBinding[];
  readonly issues: readonly Issue[];
}

/** How bindings are read. */
export interface BindingOptions {
  /** Where an animation is looked for; `skeleton` when left out, as players do. */
  readonly animationBinding?: AnimationBinding;
  /** Whether properties count only on prims that have SkelBindingAPI applied, as in OpenUSD; else they count with a warning. */
  readonly isStrict?: boolean;
}

/** What a prim inherits. */
interface Inherited {
  /** Path of the skeleton; null: bound to nothing. */
  readonly skeleton: string | null;
  /** The prim that says so. */
  readonly site: string;
  readonly holders: AttributeHolders;
}

/** The outermost SkelRoot prims, in order. Nothing outside of them is skinned. */
export function skelRoots(stage: Stage): string[] {
  const roots: string[] = [];
  const open = childrenReversed(stage, '/');
  for (let prim = open.pop(); prim !== undefined; prim = open.pop()) {
    if (typeNameAt(stage, prim) === 'SkelRoot') roots.push(prim);
    else open.push(...childrenReversed(stage, prim));
  }
  return roots;
}

/**
 * The bindings below a SkelRoot. Skeleton, joint influences, joint order, skinning method and geomBindTransform go down from the SkelRoot, the nearest
 * value of each wins; blend shapes count on the prim itself only. Prims that are bound to nothing are left out, so are prims below a skinned prim
 * or below one that cannot be visible. One skeleton with several animations (`bindingSite`) makes several bindings.
 */
export function readBindings(stage: Stage, root: string, options: BindingOptions = {}): SkelRootBindings {
  const { animationBinding = 'skeleton', isStrict = false } = options;
  const rules = createBindingRules(stage, isStrict);
  const issues: Issue[] = [];
  const bindings = new Map<string, { skeleton: string; animation: string | null; prims: BoundPrim[] }>();
  const open: { prim: string; above: Inherited }[] = [
    { prim: root, above: { skeleton: null, site: root, holders: new Map() } },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { prim } = next;
    const typeName = typeNameAt(stage, prim);
    if (typeName === null || !isImageable(typeName)) continue;
    const here = inherit(rules, prim, next.above);
    if (!isSkinnable(typeName)) {
      open.push(...childrenReversed(stage, prim).map((child) => ({ prim: child, above: here })));
      continue;
    }
    const { skeleton, site, holders } = here;
    if (skeleton === null) continue;
    const animation = findAnimation(rules, animationBinding, skeleton, site);
    const key = `${skeleton} ${animation ?? ''}`;
    const binding = bindings.get(key) ?? { skeleton, animation, prims: [] };
    bindings.set(key, binding);
    binding.prims.push(readBoundPrim(stage, prim, holders, usesBindingProperties(rules, prim), issues));
  }
  return { root, bindings: [...bindings.values()], issues: [...rules.issues.values(), ...issues] };
}

function inherit(rules: BindingRules, prim: string, above: Inherited): Inherited {
  if (!usesBindingProperties(rules, prim)) return above;
  const { stage } = rules;
  const own = INHERITED_ATTRIBUTES.filter((name) => hasAuthoredValue(stage, prim, name));
  const holders = own.length === 0 ? above.holders : withHolders(above.holders, own, prim);
  const skeleton = bindingTarget(rules, prim, 'skel:skeleton', 'Skeleton');
  return skeleton === undefined ? { ...above, holders } : { skeleton, site: prim, holders };
}

function withHolders(above: AttributeHolders, own: readonly InheritedAttribute[], prim: string): AttributeHolders {
  const holders = new Map(above);
  for (const name of own) holders.set(name, prim);
  return holders;
}

function findAnimation(rules: BindingRules, where: AnimationBinding, skeleton: string, site: string): string | null {
  if (where === 'skeleton') return animationOfSkeleton(rules, skeleton);
  const bySite = inheritedAnimation(rules, site);
  if (where === 'bindingSite') return bySite ?? null;
  return bySite === undefined ? animationOfSkeleton(rules, skeleton) : bySite;
}

/** The animation of a skeleton that nothing need be bound to, by the rule of OpenUSD. Null: the rest pose. */
export function skeletonAnimation(stage: Stage, skeleton: string, isStrict = false): string | null {
  return animationOfSkeleton(createBindingRules(stage, isStrict), skeleton);
}
