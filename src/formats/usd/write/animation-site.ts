/** Where new animations of a Skeleton that is there go. */
import { childPath } from '../layer/paths.ts';
import { childrenOf, primAndAncestors, type Stage } from '../stage/stage.ts';
import { targetsOf } from '../stage/targets.ts';
import { unusedName } from './prim-names.ts';

/** Below which prim SkelAnimations are added, and the prim that is bound to one. */
export interface AnimationSite {
  readonly parent: string;
  readonly holder: string;
}

/**
 * The Skeleton itself, and of one in an instance, where layers cannot say anything, the instance: it hands its binding down, and the animations stand
 * in a Scope beside it. That does where nothing inside of the instance binds another animation, the instance has no other of the `skeletons` to be
 * animated, and there is a prim above it for the animations to be below; else the instance has to become an ordinary prim.
 */
export function animationSite(stage: Stage, skeleton: string, skeletons: readonly string[]): AnimationSite {
  const own = { parent: skeleton, holder: skeleton };
  const chain = primAndAncestors(stage, skeleton);
  const top = chain.findIndex(({ isInstance, isInstanceProxy }) => isInstance && !isInstanceProxy);
  if (top <= 0) return own;
  const instance = chain[top];
  const isBoundInside = chain.slice(0, top).some(({ path }) => targetsOf(stage, path, 'skel:animationSource') !== null);
  const isShared = skeletons.some((other) => other !== skeleton && other.startsWith(`${instance.path}/`));
  if (isBoundInside || isShared || instance.parent === '/') return own;
  const others = childrenOf(stage, instance.parent).filter(({ typeName }) => typeName !== 'Scope');
  const name = unusedName(`${instance.name}_animations`, new Set(others.map((prim) => prim.name)));
  return { parent: childPath(instance.parent, name), holder: instance.path };
}
