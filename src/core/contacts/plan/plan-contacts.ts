import type { Humanoid } from '../../humanoid/humanoid.ts';
import { straightHumanoid } from '../../humanoid/straight-humanoid.ts';
import type { RetargetPlan } from '../../retarget/plan-types.ts';
import { planSpacing } from '../spacing/plan-spacing.ts';
import { describeContactSurface } from '../surface/contact-surface.ts';
import type { ContactOptions, ContactPlan } from './contact-plan.ts';

/**
 * Plans how contacts are kept, and how limbs are spaced on characters of other widths. The plan is reused for all clips of the pair.
 *
 * @param retarget From `planRetarget`, for the same two humanoids.
 * @param source The humanoid that moves.
 * @param target The humanoid that follows.
 * @param options Mode, and the surfaces of the two characters.
 * @returns The plan.
 * @throws RangeError for an `armSpace` or `legSpace` that is not between −90° and 90°.
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
  const [from, to] = [straightHumanoid(source).humanoid, straightHumanoid(target).humanoid];
  const { mode = 'auto', armSpace = 0, legSpace = 0 } = options;
  const sourceSurface = options.sourceSurface ?? describeContactSurface(from, null);
  const targetSurface = options.targetSurface ?? describeContactSurface(to, null);
  return {
    mode,
    spacing: planSpacing(
      { humanoid: from, surface: sourceSurface },
      { humanoid: to, surface: targetSurface },
      armSpace,
      legSpace,
    ),
    selfCollision: options.selfCollision ?? (mode === 'ground' ? 'off' : 'soft'),
    // Thickness that is estimated from joints takes hands that pass by for hands that touch.
    hands: options.hands ?? (mode !== 'ground' && sourceSurface.from === 'skin'),
    retarget,
    source: from,
    target: to,
    sourceSurface,
    targetSurface,
    sourceSamples: options.sourceSamples ?? null,
  };
}
