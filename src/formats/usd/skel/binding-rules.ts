import { type Issue, issue } from '../../../core/report/issue.ts';
import { parentPath } from '../layer/paths.ts';
import { forwardedTargetsOf } from '../stage/relationship-targets.ts';
import { primAt, type Stage } from '../stage/stage.ts';
import { INHERITED_ATTRIBUTES } from './bound-prim.ts';
import { isInactive, typeNameAt } from './typed-values.ts';

/**
 * Where `skel:animationSource` is looked up. `skeleton`: on the Skeleton prim and its ancestors, as OpenUSD does; a Skeleton then has one animation.
 * `bindingSite`: on the prim that binds the skeleton and its ancestors, as the documentation of UsdSkel describes; each use of a Skeleton may then
 * have its own animation. `either`: the binding site, else the skeleton.
 */
export type AnimationBinding = 'skeleton' | 'bindingSite' | 'either';

export interface BindingRules {
  readonly stage: Stage;
  /** True: binding properties without SkelBindingAPI are ignored. False: they count, with a warning. */
  readonly isStrict: boolean;
  /** Issues by message; each is reported once. */
  readonly issues: Map<string, Issue>;
  /** Found animations by the prim where the search started. */
  readonly animations: Map<string, string | null | undefined>;
}

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

function report({ issues }: BindingRules, prim: string, message: string): void {
  if (!issues.has(message)) issues.set(message, issue('USD_BINDING_INVALID', message, { pointer: prim }));
}

/**
 * Tests whether the binding properties of a prim count: SkelBindingAPI is applied to it, or the rules are not strict. Properties without the API, as
 * in old files, are reported.
 */
export function usesBindingProperties(rules: BindingRules, prim: string): boolean {
  const { stage, isStrict } = rules;
  if (primAt(stage, prim)?.apiSchemas.includes('SkelBindingAPI') === true) return true;
  const property = primAt(stage, prim)?.properties.find((name) => BINDING_PROPERTIES.has(name));
  if (property === undefined) return false;
  const effect = isStrict ? 'It is ignored' : 'It is used here, but other software ignores it';
  report(rules, prim, `${prim} has ${property}, but SkelBindingAPI is not applied. ${effect}. Apply the API schema.`);
  return !isStrict;
}

/**
 * Finds the target of a binding relationship. If there are several targets, the first one is used. Returns path of the target. Undefined: not
 * authored, so an ancestor's binding applies. Null: bound to nothing, because the list is empty or the target is missing or of another type.
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
    report(rules, prim, `${relationship} of ${prim} has several targets. The first one, ${target}, was used.`);
  const found = typeNameAt(stage, target);
  if (found === typeName) return target;
  if (!isInactive(stage, target)) {
    const what = found === null ? 'which does not exist' : `which is a ${found === '' ? 'prim without type' : found}`;
    report(
      rules,
      prim,
      `${relationship} of ${prim} targets ${target}, ${what}; expected a ${typeName}. The binding is ignored.`,
    );
  }
  return null;
}

/**
 * Finds the animation that is bound on a prim or its nearest ancestor. Returns path of the SkelAnimation. Null: explicitly bound to nothing.
 * Undefined: no binding is authored.
 */
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

/**
 * Finds the animation of a Skeleton prim by the rule of OpenUSD: bound on the Skeleton or an ancestor, including ancestors of the SkelRoot. Returns
 * path of the SkelAnimation; null: the rest pose.
 */
export function animationOfSkeleton(rules: BindingRules, skeleton: string): string | null {
  return inheritedAnimation(rules, skeleton) ?? null;
}
