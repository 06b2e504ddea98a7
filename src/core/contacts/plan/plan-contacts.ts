/** Plans how the contacts of retargeted clips are kept. */
import type { Humanoid } from '../../humanoid/humanoid.ts';
import type { RetargetPlan } from '../../retarget/plan-types.ts';
import { describeContactSurface } from '../surface/contact-surface.ts';
import type { ContactOptions, ContactPlan } from './contact-plan.ts';

/**
 * Plans how contacts with the ground are kept. The plan is reused for all clips of the pair.
 *
 * @param retarget From `planRetarget`, for the same two humanoids.
 * @param source The humanoid that moves.
 * @param target The humanoid that follows.
 * @param options Mode, and the surfaces of the two characters.
 * @returns The plan.
 * @example
 * const retarget = planRetarget(source, target);
 * const contacts = planContacts(retarget, source, target, { targetSurface });
 * const { clip } = applyContacts(contacts, walk, retargetClip(retarget, walk));
 */
export function planContacts(
  retarget: RetargetPlan,
  source: Humanoid,
  target: Humanoid,
  options: ContactOptions = {},
): ContactPlan {
  const { mode = 'auto' } = options;
  return {
    mode,
    selfCollision: options.selfCollision ?? mode !== 'ground',
    retarget,
    source,
    target,
    sourceSurface: options.sourceSurface ?? describeContactSurface(source, null),
    targetSurface: options.targetSurface ?? describeContactSurface(target, null),
  };
}
