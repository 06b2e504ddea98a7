/** Reads poses of Babylon.js. */
import type { AnimationGroup, TransformNode } from '@babylonjs/core';
import type { Pose } from './probe.ts';

/** Returns the local transforms of all nodes below a root. */
export function poseBelow(root: TransformNode): Pose {
  const pose: Pose = {};
  for (const node of root.getChildTransformNodes(false)) {
    const { x, y, z, w } = node.rotationQuaternion ?? { x: 0, y: 0, z: 0, w: 1 };
    pose[node.name] = [...node.position.asArray(), x, y, z, w, ...node.scaling.asArray()];
  }
  return pose;
}

/** Shows an animation group at a time, in seconds. */
export function goToTime(group: AnimationGroup, time: number): void {
  group.pause();
  group.goToFrame(time * group.targetedAnimations[0].animation.framePerSecond);
}
