/** Which skeletons stand in a scene, by which animation each moves and what it deforms. */
import { type Issue, issue } from '../../../core/report/issue.ts';
import { type BindingOptions, readBindings, type SkelBinding, skeletonAnimation, skelRoots } from '../skel/bindings.ts';
import { typeNameAt } from '../skel/stage-reading.ts';
import { primAndAncestors, type Stage } from '../stage/stage.ts';

/**
 * All skeletons with their animations: those that something is bound to, in the order in which they are met, then those among `placed` (paths of
 * Skeleton prims that have a place) that nothing is bound to. A skeleton with several animations comes several times.
 *
 * Where the options do not say by which rule animations are bound, it is OpenUSD's; a skeleton that has none by that, but by the rule of the
 * documentation, gets that, with an issue.
 */
export function sceneSkeletons(
  stage: Stage,
  placed: readonly string[],
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
  const unused = placed.filter((skeleton) => !used.has(skeleton));
  for (const skeleton of unused) {
    if (primAndAncestors(stage, skeleton).some(({ path }) => typeNameAt(stage, path) === 'SkelRoot')) continue;
    const message = `Skeleton ${skeleton} has no SkelRoot above it, so that players skin nothing with it. Make a SkelRoot of a prim above it and its meshes.`;
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
      `No animation is bound at Skeleton ${binding.skeleton} or above it, where players look; ${animation}, bound where its meshes ` +
      'are, was taken. Bind it at the Skeleton too.';
    issues.push(issue('USD_BINDING_INVALID', message, { pointer: binding.skeleton }));
    return others;
  });
}
