/** A character that lies and slides on the ground, and its twin whose body is half as thick again. */
import type { Clip } from '../../src/core/animation/clip.ts';
import { type ContactSurface, describeContactSurface } from '../../src/core/contacts/surface/contact-surface.ts';
import { groupPoints } from '../../src/core/contacts/surface/point-groups.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import { clipOf, tPoseHumanoid, track } from '../support/make/tiny-humanoid.ts';

/** Surfaces of the character and of its thicker twin, and the clip in which it lies on its back. */
export interface LyingPair {
  readonly humanoid: Humanoid;
  readonly thin: ContactSurface;
  readonly thick: ContactSurface;
  /** Height of the hips above the ground, meters. */
  readonly thickness: number;
  readonly clip: Clip;
}

/** Creates the pair. Nothing of it has a mesh. */
export function lyingPair(): LyingPair {
  const humanoid = tPoseHumanoid();
  const thin = describeContactSurface(humanoid, null);
  const points = { ...thin.points, radii: thin.points.radii.map((radius) => 1.5 * radius) };
  const thick = { ...thin, points, trunk: groupPoints(points, thin.bones, thin.trunkEnd) };
  const down: readonly [number, number, number, number] = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];
  const thickness = Math.max(...thin.points.radii.slice(0, thin.trunkEnd));
  const clip = clipOf(
    track(
      humanoid,
      'hips',
      'translation',
      'LINEAR',
      [0, 1],
      [
        [0, thickness, 0],
        [0.1, thickness, 0],
      ],
    ),
    track(humanoid, 'hips', 'rotation', 'LINEAR', [0, 1], [down, down]),
  );
  return { humanoid, thin, thick, thickness, clip };
}
