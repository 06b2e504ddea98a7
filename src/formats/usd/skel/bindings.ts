/** Finds the prims below a SkelRoot that are bound to skeletons and animations, by the inheritance rules of UsdSkelCache. */

import type { Issue } from '../../../core/report/issue.ts';
import { hasAuthoredValue } from '../stage/attribute-values.ts';
import type { Stage } from '../stage/stage.ts';
import {
  type AnimationBinding,
  animationOfSkeleton,
  type BindingRules,
  bindingTarget,
  createBindingRules,
  inheritedAnimation,
  usesBindingProperties,
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

/** A skeleton with one animation, and the prims bound to it. */
export interface SkelBinding {
  /** Path of the Skeleton. */
  readonly skeleton: string;
  /** Path of the SkelAnimation; null: the rest pose. */
  readonly animation: string | null;
  /** The bound prims, in stage order. */
  readonly prims: readonly BoundPrim[];
}

/** The bindings below a SkelRoot. */
interface SkelRootBindings {
  /** Path of the SkelRoot. */
  readonly root: string;
  /** In the order of their first bound prims. */
  readonly bindings: readonly SkelBinding[];
  /** Invalid bindings, influences and blend shapes. */
  readonly issues: readonly Issue[];
}

/** Options of {@link readBindings}. */
export interface BindingOptions {
  /** Where animations are looked up. Default: `skeleton`, as OpenUSD does. */
  readonly animationBinding?: AnimationBinding;
  /** Ignores binding properties without SkelBindingAPI, as OpenUSD does. Default: they count, with a warning. */
  readonly isStrict?: boolean;
}

interface Inherited {
  /** Path of the skeleton; null: bound to nothing. */
  readonly skeleton: string | null;
  readonly site: string;
  /** Prims with the nearest authored values. */
  readonly holders: AttributeHolders;
}

/**
 * Lists the outermost SkelRoot prims. Prims outside of them are not skinned.
 *
 * @param stage The composed stage.
 * @returns Paths in stage order.
 */
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
 * Reads the bindings below a SkelRoot. Skeleton, joint influences, joint order, skinning method and geomBindTransform are inherited from ancestors up
 * to the SkelRoot; the nearest authored value of each wins. Blend shapes are not inherited. Unbound prims, descendants of skinnable prims, and
 * descendants of prims that are not imageable are skipped. With `bindingSite`, one skeleton may have several bindings with different animations.
 *
 * @param stage The composed stage.
 * @param root Path of the SkelRoot.
 * @param options How bindings are read.
 * @returns The bindings and their issues.
 * @example
 * ```ts
 * const stage = openStage(readUsdLayer(bytes));
 * for (const root of skelRoots(stage)) {
 *   const { bindings, issues } = readBindings(stage, root);
 *   for (const { skeleton, animation, prims } of bindings) console.log(skeleton, animation, prims.map(({ prim }) => prim));
 * }
 * ```
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

/**
 * Finds the animation of a skeleton by the rule of OpenUSD, whether or not prims are bound to the skeleton.
 *
 * @param stage The composed stage.
 * @param skeleton Path of the Skeleton prim.
 * @param isStrict Ignores binding properties without SkelBindingAPI.
 * @returns Path of the SkelAnimation; null: the rest pose.
 */
export function skeletonAnimation(stage: Stage, skeleton: string, isStrict = false): string | null {
  return animationOfSkeleton(createBindingRules(stage, isStrict), skeleton);
}
