/** Single rules of binding: whose properties count, where a relationship leads to, where an animation is found. */

import { type Issue, issue } from '../../../core/report/issue.ts';
import { parentPath } from '../layer/paths.ts';
import { primAt, type Stage } from '../stage/stage.ts';
import { forwardedTargetsOf } from '../stage/relationship-targets.ts';
import { INHERITED_ATTRIBUTES } from './bound-prim.ts';
import { isInactive, typeNameAt } from './typed-values.ts';

/**
 * Where the animation of a bound prim is looked for. `skeleton`: at the Skeleton prim and above it, as OpenUSD does, so that a Skeleton has one
 * animation. `bindingSite`: at the prim that binds the skeleton and above it, as the documentation of UsdSkel says, so that each use of a Skeleton may have its
 * own. `either`: the site, and where nothing is said there the skeleton.
 */
export type AnimationBinding = 'skeleton' | 'bindingSite' | 'either';

/** What the rules are applied to. */
export interface BindingRules {
  readonly stage: Stage;
  readonly isStrict: boolean;
  /** By message: each is told once. */
  readonly issues: Map<string, Issue>;
  /** Animations that were found, by the prim where the search began. */
  readonly animations: Map<string, string | null | undefined>;
}

/** Rules for a stage, with nothing told and found. */
export function createBindingRules(stage: Stage, isStrict: boolean): BindingRules {
  return { stage, isStrict, issues: new Map(), animations: new Map() };
}

const BINDING_PROPERTIES: ReadonlySet<string> = new Set([
  ...INHERITED_ATTRIBUTES,
  'skel:skeleton',
  'skel:animationSource',
  'skel:blendShapes',
  'skel:blendShapeTargets',
]);

function tell({ issues }: BindingRules, prim: string, message: string): void {
  if (!issues.has(message)) issues.set(message, issue('USD_BINDING_INVALID', message, { pointer: prim }));
}

/**
 * Whether the binding properties of a prim count: where SkelBindingAPI is applied. Old files lack it; where the rules are not strict their
 * properties count too, with a warning.
 */
export function usesBindingProperties(rules: BindingRules, prim: string): boolean {
  const { stage, isStrict } = rules;
  if (primAt(stage, prim)?.apiSchemas.includes('SkelBindingAPI') === true) return true;
  const property = primAt(stage, prim)?.properties.find((name) => BINDING_PROPERTIES.has(name));
  if (property === undefined) return false;
  const then = isStrict ? 'it is ignored' : 'it is taken, but players ignore it';
  tell(rules, prim, `${prim} has ${property} without the API schema SkelBindingAPI; ${then}. Apply the schema.`);
  return !isStrict;
}

/**
 * The prim of a type that a binding relationship leads to. Undefined: nothing is said here, so what is said above counts. Null: bound to nothing, by an empty
 * list or a target that is missing or of another type. Of several targets the first counts.
 */
export function bindingTarget(
  rules: BindingRules,
  prim: string,
  relationship: 'skel:skeleton' | 'skel:animationSource',
  typeName: 'Skeleton' | 'SkelAnimation',
): string | null | undefined {
  const { stage } = rules;
  const targets = forwardedTargetsOf(stage, prim, relationship, 2);
  if (targets === null) return undefined;
  if (targets.length === 0) return null;
  const [target] = targets;
  if (targets.length > 1)
    tell(rules, prim, `${relationship} of ${prim} has several targets; ${target}, the first, was taken.`);
  const found = typeNameAt(stage, target);
  if (found === typeName) return target;
  if (!isInactive(stage, target)) {
    const what = found === null ? 'which is not there' : `which is a ${found === '' ? 'prim without type' : found}`;
    tell(
      rules,
      prim,
      `${relationship} of ${prim} leads to ${target}, ${what}; expected a ${typeName}. Nothing is bound.`,
    );
  }
  return null;
}

/** The animation that is said at a prim or above it, the nearest first; null: none is wanted; undefined: nobody says anything. */
export function inheritedAnimation(rules: BindingRules, prim: string): string | null | undefined {
  const { animations } = rules;
  if (animations.has(prim)) return animations.get(prim);
  let animation: string | null | undefined;
  for (let at = prim; at !== '/' && at !== '' && animation === undefined; at = parentPath(at)) {
    if (usesBindingProperties(rules, at)) animation = bindingTarget(rules, at, 'skel:animationSource', 'SkelAnimation');
  }
  animations.set(prim, animation);
  return animation;
}

/** The animation of a Skeleton prim by the rule of OpenUSD: said at the Skeleton or above it, also beyond the SkelRoot. */
export function animationOfSkeleton(rules: BindingRules, skeleton: string): string | null {
  return inheritedAnimation(rules, skeleton) ?? null;
}
