import { type Issue, issue } from '../../../../core/report/issue.ts';
import {
  type BindingOptions,
  readBindings,
  type SkelBinding,
  skeletonAnimation,
  skelRoots,
} from '../../skel/bindings.ts';
import { typeNameAt } from '../../skel/typed-values.ts';
import { primAndAncestors, type Stage } from '../../stage/stage.ts';

/**
 * Finds all skeletons with their animations: bound skeletons in traversal order, followed by skeletons that nothing is bound to. A skeleton with
 * several animations is listed once per animation.
 *
 * By default, animations are found by OpenUSD's rule (at the Skeleton or its ancestors). If that finds none, an animation bound at the skinned prims,
 * the documented rule, is used with an issue.
 */
export function sceneSkeletons(
  stage: Stage,
  skeletonPaths: readonly string[],
  options: BindingOptions,
  issues: Issue[],
): SkelBinding[] {
  const found = new Map<string, { skeleton: string; animation: string | null; prims: SkelBinding['prims'] }>();
  for (const root of skelRoots(stage)) {
    for (const { skeleton, animation, prims } of bindingsBelow(stage, root, options, issues)) {
      const key = `${skeleton} ${animation ?? ''}`;
      found.set(key, { skeleton, animation, prims: [...(found.get(key)?.prims ?? []), ...prims] });
    }
  }
  const used = new Set(Array.from(found.values(), ({ skeleton }) => skeleton));
  const unused = skeletonPaths.filter((skeleton) => !used.has(skeleton));
  for (const skeleton of unused) {
    if (primAndAncestors(stage, skeleton).some(({ path }) => typeNameAt(stage, path) === 'SkelRoot')) continue;
    const message =
      `Skeleton ${skeleton} has no SkelRoot ancestor, so renderers do not skin meshes with it. ` +
      'Change the type of a common ancestor of the Skeleton and its meshes to SkelRoot.';
    issues.push(issue('USD_BINDING_INVALID', message, { pointer: skeleton }));
  }
  return [
    ...found.values(),
    ...unused.map((skeleton) => ({
      skeleton,
      animation: skeletonAnimation(stage, skeleton, options.isStrict),
      prims: [],
    })),
  ];
}

function bindingsBelow(stage: Stage, root: string, options: BindingOptions, issues: Issue[]): readonly SkelBinding[] {
  const read = readBindings(stage, root, options);
  issues.push(...read.issues);
  if (options.animationBinding !== undefined) return read.bindings;
  if (read.bindings.every(({ animation }) => animation !== null)) return read.bindings;
  const bySite = readBindings(stage, root, { ...options, animationBinding: 'bindingSite' }).bindings;
  return read.bindings.flatMap((binding): readonly SkelBinding[] => {
    if (binding.animation !== null) return [binding];
    const others = bySite.filter(({ skeleton }) => skeleton === binding.skeleton);
    const animation = others.find((other) => other.animation !== null)?.animation;
    if (animation === undefined) return [binding];
    const message =
      `No animation is bound at Skeleton ${binding.skeleton} or its ancestors, where renderers look for it. ` +
      `${animation}, which is bound at its meshes, is used instead. Bind it at the Skeleton too.`;
    issues.push(issue('USD_BINDING_INVALID', message, { pointer: binding.skeleton }));
    return others;
  });
}
