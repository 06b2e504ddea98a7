/** Which SkelAnimations play together as one clip, and on which skeletons. */

import { FormatError } from '../../../core/report/format-error.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { nameOfPath, parentPath } from '../layer/paths.ts';
import { readSkelAnimation, type SkelAnimation } from '../skel/skel-animation.ts';
import { isUsable, prototypePath, type Stage } from '../stage/stage.ts';
import { displayName } from './display-name.ts';
import type { SceneSkeleton } from './scene.ts';

/** Joints that may be compared with those of animations. */
const MOST_LOOKS = 100_000_000;

/** A clip in the making. */
export interface AnimationGroup {
  /** `displayName` of its animations where there is one, else their name. */
  readonly name: string;
  /** The animation of every skeleton that it moves, by the place of the skeleton. */
  readonly animations: Map<number, SkelAnimation>;
}

/**
 * The SkelAnimations of a stage as clips: those that are bound first, in the order of the skeletons, then all others in the order of the stage.
 * Animations of the same name on different skeletons are one clip. An animation that no skeleton is bound to is for the nearest skeleton that has a
 * joint or blend shape of it, and for those as near that have the same joints; where there is none, it is left out, with an issue. Instances of one
 * animation are one for a skeleton.
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
  const nearest = makeFinder(skeletons);
  const bound = new Set<string>();
  for (const [place, { animated }] of skeletons.entries()) {
    if (animated.animation === null) continue;
    add(animated.animation, place);
    bound.add(animated.animation.prim);
  }
  for (const prim of stage.prims) {
    if (prim.typeName !== 'SkelAnimation' || !isUsable(prim) || bound.has(prim.path)) continue;
    const animation = readSkelAnimation(stage, prim.path);
    const places = nearest(animation);
    for (const place of places) add(animation, place);
    if (places.length > 0 || listed.has(prototypePath(stage, animation.prim))) continue;
    listed.add(prototypePath(stage, animation.prim));
    const message = `SkelAnimation ${prim.path} is bound to no skeleton and none has a joint or blend shape of it; it was left out.`;
    issues.push(issue('USD_ANIMATION_INVALID', message, { pointer: prim.path }));
  }
  return inOrder;
}

/** Places of skeletons by the path of every prim above them, and their own. */
function placesBelow(skeletons: readonly SceneSkeleton[]): Map<string, number[]> {
  const below = new Map<string, number[]>();
  for (const [place, { animated }] of skeletons.entries()) {
    for (let path = animated.prim; path !== ''; path = parentPath(path)) {
      const places = below.get(path) ?? [];
      if (places.length === 0) below.set(path, places);
      places.push(place);
    }
  }
  return below;
}

/** Finds the nearest skeletons that animations fit. FormatError USD_LIMIT where very many animations are far from very many skeletons. */
function makeFinder(skeletons: readonly SceneSkeleton[]): (animation: SkelAnimation) => readonly number[] {
  const below = placesBelow(skeletons);
  let looksLeft = MOST_LOOKS;
  return (animation) => {
    const joints = new Set(animation.joints);
    const shapes = new Set(animation.blendShapes);
    const fits = (place: number): boolean => {
      const { animated, bound } = skeletons[place];
      const own = animated.definition.joints;
      looksLeft -= own.length + bound.length + 1;
      return (
        own.some((joint) => joints.has(joint)) ||
        bound.some(({ blendShapes }) => blendShapes?.some((shape) => shapes.has(shape)))
      );
    };
    let near: number[] = [];
    for (let path = parentPath(animation.prim); path !== '' && near.length === 0; path = parentPath(path)) {
      near = (below.get(path) ?? []).filter(fits);
      if (looksLeft < 0)
        throw new FormatError('USD_LIMIT', 'Too many animations for too many skeletons; split the file', {
          pointer: animation.prim,
        });
    }
    if (near.length < 2) return near;
    const first = skeletons[near[0]].animated.definition.joints;
    return near.filter((place) => {
      const own = skeletons[place].animated.definition.joints;
      return own === first || (own.length === first.length && own.every((joint, j) => joint === first[j]));
    });
  };
}
