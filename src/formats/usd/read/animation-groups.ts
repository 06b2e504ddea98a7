/** Which SkelAnimations play together as one clip, and on which skeletons. */

import { type Issue, issue } from '../../../core/report/issue.ts';
import { nameOfPath, parentPath } from '../layer/paths.ts';
import { readSkelAnimation, type SkelAnimation } from '../skel/skel-animation.ts';
import { isUsable, type Stage } from '../stage/stage.ts';
import { displayName } from './display-name.ts';
import type { SceneSkeleton } from './scene.ts';

/** A clip in the making. */
export interface AnimationGroup {
  /** `displayName` of its animations where there is one, else their name. */
  readonly name: string;
  /** The animation of every skeleton that it moves, by the place of the skeleton. */
  readonly animations: Map<number, SkelAnimation>;
}

/**
 * The SkelAnimations of a stage as clips: those that are bound first, in the order of the skeletons, then all others in the order of the stage. Animations of the same
 * name on different skeletons are one clip. An animation that no skeleton is bound to is for the nearest skeleton that has a joint or blend shape of
 * it, and for those as near that have the same joints; where there is none, it is left out, with an issue.
 */
export function groupAnimations(stage: Stage, skeletons: readonly SceneSkeleton[], issues: Issue[]): AnimationGroup[] {
  const groups = new Map<string, AnimationGroup[]>();
  const inOrder: AnimationGroup[] = [];
  const add = (animation: SkelAnimation, skeleton: number): void => {
    const name = nameOfPath(animation.prim);
    const alike = groups.get(name) ?? [];
    groups.set(name, alike);
    let group = alike.find(({ animations }) => !animations.has(skeleton));
    if (group === undefined) {
      group = { name: displayName(stage, animation.prim) ?? name, animations: new Map() };
      alike.push(group);
      inOrder.push(group);
    }
    group.animations.set(skeleton, animation);
  };
  const bound = new Set<string>();
  for (const [place, { animated }] of skeletons.entries()) {
    if (animated.animation === null) continue;
    add(animated.animation, place);
    bound.add(animated.animation.prim);
  }
  for (const prim of stage.prims) {
    if (prim.typeName !== 'SkelAnimation' || !isUsable(prim) || bound.has(prim.path)) continue;
    const animation = readSkelAnimation(stage, prim.path);
    const places = nearestSkeletons(animation, skeletons);
    for (const place of places) add(animation, place);
    if (places.length > 0) continue;
    const message = `SkelAnimation ${prim.path} is bound to no skeleton and none has a joint or blend shape of it; it was left out.`;
    issues.push(issue('USD_ANIMATION_INVALID', message, { pointer: prim.path }));
  }
  return inOrder;
}

/** Places of the nearest skeletons that an animation fits. */
function nearestSkeletons(animation: SkelAnimation, skeletons: readonly SceneSkeleton[]): number[] {
  const joints = new Set(animation.joints);
  const shapes = new Set(animation.blendShapes);
  const fitting = [...skeletons.keys()].filter((place) => {
    const { animated, bound } = skeletons[place];
    return (
      animated.definition.joints.some((joint) => joints.has(joint)) ||
      bound.some(({ blendShapes }) => blendShapes?.some((shape) => shapes.has(shape)))
    );
  });
  const nearness = (place: number): number => sharedDepth(animation.prim, skeletons[place].animated.prim);
  const nearest = fitting.reduce((most, place) => Math.max(most, nearness(place)), 0);
  const near = fitting.filter((place) => nearness(place) === nearest);
  const first = near.length === 0 ? [] : skeletons[near[0]].animated.definition.joints;
  return near.filter((place) => {
    const own = skeletons[place].animated.definition.joints;
    return own === first || (own.length === first.length && own.every((joint, j) => joint === first[j]));
  });
}

/** Prims that two paths have in common above them. */
function sharedDepth(a: string, b: string): number {
  const above = (path: string): string[] => parentPath(path).split('/').slice(1);
  const other = [...above(b), nameOfPath(b)];
  const own = above(a);
  let depth = 0;
  while (depth < own.length && own[depth] === other[depth] && own[depth] !== '') depth++;
  return depth;
}
