/** A call of `retargetPose`, whose allocations are counted. */
import { planRetarget } from '../../../src/core/retarget/plan.ts';
import { retargetPose } from '../../../src/core/retarget/retarget-pose.ts';
import { restPose } from '../../../src/core/skeleton/pose.ts';
import { tBody } from '../../make/tiny-humanoid.ts';

const body = tBody();
const plan = planRetarget(body, body);
const local = restPose(body.skeleton);

export function call(): void {
  retargetPose(plan, local, local);
}
