/** A call of `retargetPose`, whose allocations are counted: to a character with twist joints and a detached joint. */
import { planRetarget } from '../../../src/core/retarget/plan-retarget.ts';
import { retargetPose } from '../../../src/core/retarget/retarget-pose.ts';
import { restPose } from '../../../src/core/skeleton/pose.ts';
import { tPoseHumanoid } from '../../support/make/tiny-humanoid.ts';

const source = tPoseHumanoid();
const character = tPoseHumanoid(
  {},
  { name: 'forearm_twist', parent: 'leftLowerArm', at: [0.125, 0, 0] },
  { name: 'upperarm_twist', parent: 'leftUpperArm', at: [0.1, 0, 0] },
  { name: 'palm', parent: 'leftLowerArm', at: [0.25, 0, 0] },
  { name: 'leftIndexProximal', parent: 'palm', at: [0.1, 0, 0] },
  { name: 'DEF-thigh', at: [0.1, 0.8, 0] },
);
const target = { ...character, skeleton: { ...character.skeleton, joints: character.skeleton.joints.map(() => 1) } };
const plan = planRetarget(source, target, { distribute: true });
if (plan.twists.length < 4 || plan.detachedJoints.length < 2)
  throw new Error('The character lacks twist joints or detached joints.');
const pose = restPose(source.skeleton);
const local = restPose(target.skeleton);

export function call(): void {
  retargetPose(plan, pose, local);
}
