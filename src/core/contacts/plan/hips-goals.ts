/** How much the hips of the target are raised or lowered. */
import type { BodyFrames } from '../frames/body-frames.ts';
import { smoothstep } from '../paths/ease.ts';
import { solvePath } from '../paths/solve-path.ts';
import type { ContactMode } from './contact-plan.ts';

/** Clearances of the body relative to the leg: up to the first it is on the ground, from the second on it is not. */
const ON_GROUND = 0.02;
const IN_AIR = 0.14;
/** Weights of the wanted height of a body on the ground, and of the plain height elsewhere. */
const GROUND_WEIGHT = 400;
const FREE_WEIGHT = 4;
/** Stiffness, seconds squared, and bending, seconds to the fourth. */
const STIFFNESS = 0.3;
const BENDING = 1e-4;

/**
 * Finds the height of the hips, as an offset from plain retargeting, at which the lowest point of the body is as high above the ground as that of the
 * source times k.
 *
 * @param source The source.
 * @param target The target after plain retargeting.
 * @param factor k: meters of the target per meter of the source.
 * @param legLength Length of the legs of the source, meters.
 * @param mode How contacts are kept.
 * @returns Meters per frame, and the weight of body contact per frame; null when the body is never on the ground.
 */
export function findHipsGoals(
  source: BodyFrames,
  target: BodyFrames,
  factor: number,
  legLength: number,
  mode: ContactMode,
): { readonly raise: Float64Array; readonly contact: Float64Array } | null {
  const { count, step } = source.grid;
  const contact = Float64Array.from(source.clearance, (height) => smoothstep(IN_AIR, ON_GROUND, height / legLength));
  const data = new Float64Array(count);
  const dataWeights = new Float64Array(count);
  let isTouching = false;
  for (let frame = 0; frame < count; frame++) {
    let weight = contact[frame];
    let wanted = factor * source.clearance[frame] - target.clearance[frame];
    if (mode === 'ground') {
      wanted = Math.max(0, -target.clearance[frame]);
      weight = wanted > 0 ? 1 : 0;
    }
    if (!(weight > 0) || !Number.isFinite(wanted)) weight = 0;
    if (weight > 0) isTouching = true;
    const [pull, free] = [GROUND_WEIGHT * weight ** 2, FREE_WEIGHT * (1 - weight) ** 2];
    dataWeights[frame] = pull + free;
    data[frame] = weight > 0 ? (pull * wanted) / (pull + free) : 0;
  }
  if (!isTouching) return null;
  const stiffness = new Float64Array(Math.max(0, count - 1)).fill(STIFFNESS);
  const raise = solvePath({ width: 1, data, dataWeights, changes: null, stiffness, bending: BENDING, step });
  return { raise, contact };
}
