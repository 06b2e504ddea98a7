/** Turns the options of the page into those of the library. */
import type { HumanoidOptions, RetargetClipsOptions } from 'anyrig/files';
import type { MotionOptions } from '../app/motion-options.ts';

/**
 * Converts the options of the page to those of `retargetMotions`. Options that have their default are left out, so that the outputs are those of the
 * shortest command line.
 *
 * @param options Options of the page.
 * @param source What the user decided about the humanoid of the motion.
 * @param target What the user decided about the humanoid of the character.
 * @returns Options of the library.
 */
export function jobOptions(
  options: MotionOptions,
  source: HumanoidOptions,
  target: HumanoidOptions,
): RetargetClipsOptions {
  const { hipsScale, contacts, armSpace, legSpace, selfCollision, hands, root, twist, distribute, face } = options;
  const { skipFirstPose, mirror, loop, speed, trim, reduce, keys, fps } = options;
  return {
    contacts,
    armSpace,
    legSpace,
    ...(selfCollision ? {} : { selfCollision }),
    // Hand contacts are a part of contacts.
    ...(hands && contacts !== 'off' ? { hands } : {}),
    channels: { hipsScale, twist, distribute },
    face,
    edits: {
      ...(trim === null ? {} : { trim: { from: trim[0], to: trim[1] } }),
      ...(speed === 1 ? {} : { speed }),
      ...(skipFirstPose ? { skipFirstPose } : {}),
      ...(mirror ? { mirror } : {}),
      ...(root === 'keep' ? {} : { root }),
      ...(loop ? { loop } : {}),
      ...(reduce === null ? {} : { reduce }),
      ...(keys === 'linear' ? {} : { keys }),
    },
    ...(fps === null ? {} : { fps }),
    source,
    target,
  };
}
