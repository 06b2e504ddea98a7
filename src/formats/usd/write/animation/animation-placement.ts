/** Chooses the location of new animations for an existing Skeleton. */

import { unusedName } from '../../author/prim-names.ts';
import { childPath } from '../../layer/paths.ts';
import { targetsOf } from '../../stage/relationship-targets.ts';
import { childrenOf, primAndAncestors, type Stage } from '../../stage/stage.ts';

/** The location of new animations. */
export interface AnimationPlacement {
  /** Path of the prim below which SkelAnimations are added. */
  readonly parent: string;
  /** Path of the prim that gets `skel:animationSource`. */
  readonly boundPrim: string;
}

/**
 * Chooses where the animations of a Skeleton are added: below the Skeleton itself or, if it is in an instance, whose prims cannot have opinions, in a
 * Scope beside the instance; the instance then inherits the binding to its descendants. This requires that nothing in the instance binds another
 * animation, that it contains no other skeleton to animate, and that it has a parent prim. Otherwise the Skeleton is returned and the instance must
 * become an ordinary prim.
 */
export function animationPlacement(stage: Stage, skeleton: string, skeletons: readonly string[]): AnimationPlacement {
  const own = { parent: skeleton, boundPrim: skeleton };
  const chain = primAndAncestors(stage, skeleton);
  const top = chain.findIndex(({ isInstance, isInstanceProxy }) => isInstance && !isInstanceProxy);
  if (top <= 0) return own;
  const instance = chain[top];
  const isBoundInside = chain.slice(0, top).some(({ path }) => targetsOf(stage, path, 'skel:animationSource') !== null);
  const isShared = skeletons.some((other) => other !== skeleton && other.startsWith(`${instance.path}/`));
  if (isBoundInside || isShared || instance.parent === '/') return own;
  const others = childrenOf(stage, instance.parent).filter(({ typeName }) => typeName !== 'Scope');
  const name = unusedName(`${instance.name}_animations`, new Set(others.map((prim) => prim.name)));
  return { parent: childPath(instance.parent, name), boundPrim: instance.path };
}
