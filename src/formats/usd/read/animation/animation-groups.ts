import { FormatError } from '../../../../core/report/format-error.ts';
import { type Issue, issue } from '../../../../core/report/issue.ts';
import { nameOfPath, parentPath } from '../../layer/paths.ts';
import { readSkelAnimation, type SkelAnimation } from '../../skel/skel-animation.ts';
import { isUsable, prototypePath, type Stage } from '../../stage/stage.ts';
import { displayName } from '../display-name.ts';
import type { SceneSkeleton } from '../scene.ts';

/** Limit on the joint comparisons between unbound animations and skeletons. */
const MAX_COMPARISONS = 100_000_000;

/** SkelAnimations that play together as one clip. */
export interface AnimationGroup {
  /** `displayName` of the first animation, or its prim name if it has none. */
  readonly name: string;
  /** The animation of each animated skeleton, keyed by skeleton index. */
  readonly animations: Map<number, SkelAnimation>;
}

/**
 * Groups the SkelAnimations of a stage into clips: bound animations first, in skeleton order, then all others in stage order.
 *
 * - Animations with the same name on different skeletons form one clip.
 * - An unbound animation is assigned to the nearest skeleton in the namespace that shares a joint or blend shape with it, and to the equally near
 *   skeletons with the same joints. If no skeleton matches, the animation is dropped with an issue.
 * - Instances of one animation count once per skeleton.
 */
export function groupAnimations(stage: Stage, skeletons: readonly SceneSkeleton[], issues: Issue[]): AnimationGroup[] {
  const groups = new Map<string, AnimationGroup[]>();
  const inOrder: AnimationGroup[] = [];
  const listed = new Set<string>();
  const add = (animation: SkelAnimation, skeleton: number): void => {
    const key = `${skeleton} ${prototypePath(stage, animation.prim)}`;
    if (listed.has(key)) return;
    listed.add(key);
    const name = nameOfPath(animation.prim);
    const sameName = groups.get(name) ?? [];
    groups.set(name, sameName);
    let group = sameName.find(({ animations }) => !animations.has(skeleton));
    if (group === undefined) {
      group = { name: displayName(stage, animation.prim) ?? name, animations: new Map() };
      sameName.push(group);
      inOrder.push(group);
    }
    group.animations.set(skeleton, animation);
  };
  const findNearest = createSkeletonFinder(skeletons);
  const bound = new Set<string>();
  for (const [index, { animated }] of skeletons.entries()) {
    if (animated.animation === null) continue;
    add(animated.animation, index);
    bound.add(animated.animation.prim);
  }
  for (const prim of stage.prims) {
    if (prim.typeName !== 'SkelAnimation' || !isUsable(prim) || bound.has(prim.path)) continue;
    const animation = readSkelAnimation(stage, prim.path);
    const nearest = findNearest(animation);
    for (const index of nearest) add(animation, index);
    if (nearest.length > 0 || listed.has(prototypePath(stage, animation.prim))) continue;
    listed.add(prototypePath(stage, animation.prim));
    const message =
      `SkelAnimation ${prim.path} is not bound to a skeleton, and no skeleton shares a joint or blend shape with it. ` +
      'The animation was dropped. Bind it with skel:animationSource.';
    issues.push(issue('USD_ANIMATION_INVALID', message, { pointer: prim.path }));
  }
  return inOrder;
}

/** Lists the skeletons at or below each prim: skeleton indices keyed by the paths of the Skeleton prims and all their ancestors. */
function skeletonsBelow(skeletons: readonly SceneSkeleton[]): Map<string, number[]> {
  const below = new Map<string, number[]>();
  for (const [index, { animated }] of skeletons.entries()) {
    for (let path = animated.prim; path !== ''; path = parentPath(path)) {
      const indices = below.get(path) ?? [];
      if (indices.length === 0) below.set(path, indices);
      indices.push(index);
    }
  }
  return below;
}

/** Creates a function that finds the nearest skeletons an animation fits. It throws USD_LIMIT if the searches take too many comparisons in total. */
function createSkeletonFinder(skeletons: readonly SceneSkeleton[]): (animation: SkelAnimation) => readonly number[] {
  const below = skeletonsBelow(skeletons);
  let comparisonsLeft = MAX_COMPARISONS;
  return (animation) => {
    const joints = new Set(animation.joints);
    const shapes = new Set(animation.blendShapes);
    const fits = (index: number): boolean => {
      const { animated, bound } = skeletons[index];
      const own = animated.definition.joints;
      comparisonsLeft -= own.length + bound.length + 1;
      return (
        own.some((joint) => joints.has(joint)) ||
        bound.some(({ blendShapes }) => blendShapes?.some((shape) => shapes.has(shape)))
      );
    };
    let near: number[] = [];
    for (let path = parentPath(animation.prim); path !== '' && near.length === 0; path = parentPath(path)) {
      near = (below.get(path) ?? []).filter(fits);
      if (comparisonsLeft < 0) {
        const message = `Matching animations to skeletons takes more than ${MAX_COMPARISONS} comparisons, the limit. Split the file.`;
        throw new FormatError('USD_LIMIT', message, { pointer: animation.prim });
      }
    }
    if (near.length < 2) return near;
    const first = skeletons[near[0]].animated.definition.joints;
    return near.filter((index) => {
      const own = skeletons[index].animated.definition.joints;
      return own === first || (own.length === first.length && own.every((joint, j) => joint === first[j]));
    });
  };
}
