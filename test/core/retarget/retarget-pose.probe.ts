/** A call of `retargetPose`, whose allocations are counted: onto a body with joints that share turns and one that follows a bone. */
import { planRetarget } from '../../../src/core/retarget/plan.ts';
import { retargetPose } from '../../../src/core/retarget/retarget-pose.ts';
import { restPose } from '../../../src/core/skeleton/pose.ts';
import { tBody } from '../../make/tiny-humanoid.ts';

const source = tBody();
const helped = tBody(
  {},
  { name: 'forearm_twist', parent: 'leftLowerArm', at: [0.125, 0, 0] },
  { name: 'upperarm_twist', parent: 'leftUpperArm', at: [0.1, 0, 0] },
  { name: 'palm', parent: 'leftLowerArm', at: [0.25, 0, 0] },
  { name: 'leftIndexProximal', parent: 'palm', at: [0.1, 0, 0] },
  { name: 'DEF-thigh', at: [0.1, 0.8, 0] },
);
const target = { ...helped, skeleton: { ...helped.skeleton, joints: helped.skeleton.joints.map(() => 1) } };
const plan = planRetarget(source, target, { distribute: true });
if (plan.shares.length < 4 || plan.attachments.length < 2) throw new Error('The body has nothing that follows.');
const pose = restPose(source.skeleton);
const local = restPose(target.skeleton);

export function call(): void {
  retargetPose(plan, pose, local);
}
