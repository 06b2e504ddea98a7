/** The ground below characters that are not on a plane: heights that the caller knows. */
import type { GroundHeight, LiveFoot, LiveState } from './live-state.ts';

/** Seconds that the way of a foot is looked ahead: over an edge it has to be high before it is there. */
const LOOK_AHEAD = 0.1;

/** Returns the height at a place; 0 where there is none. */
function heightAt(ground: GroundHeight, x: number, z: number): number {
  const height = ground(x, z);
  return Number.isFinite(height) ? height : 0;
}

const nowhere = new Float64Array(2);
const highest = new Float64Array(1);

/**
 * Finds the ground below one foot of a character, in `highest`: the higher of those below toe joint and heel, and where they will be soon. Edges are passed in a few
 * hundredths of a second.
 *
 * @param t Index of the toe joint in the tips of the foot; the heel follows.
 * @param shift Offset of the tips, x and z.
 * @param scale Velocities of the character, relative to those of the source.
 */
function findGround(
  { tips, velocities }: LiveFoot,
  ground: GroundHeight,
  t: number,
  shift: Float64Array,
  scale: number,
): void {
  const ahead = LOOK_AHEAD * scale;
  highest[0] = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < 6; at += 3) {
    const x = tips[t + at] + shift[0];
    const z = tips[t + at + 2] + shift[1];
    highest[0] = Math.max(
      highest[0],
      heightAt(ground, x, z),
      heightAt(ground, x + ahead * velocities[at], z + ahead * velocities[at + 2]),
    );
  }
}

/** Finds the ground below the feet; without heights it stays 0. */
export function findGrounds(foot: LiveFoot, { sourceGround, ground, plan, time, isFresh }: LiveState): void {
  const { memory } = foot;
  const step = isFresh ? 1 : time.attack;
  if (sourceGround !== null) {
    findGround(foot, sourceGround, 0, nowhere, 1);
    memory.sourceGround += (highest[0] - memory.sourceGround) * step;
  }
  if (ground !== null) {
    findGround(foot, ground, 6, memory.shift, plan.retarget.hipsScale);
    memory.ground += (highest[0] - memory.ground) * step;
  }
}

/** Finds the ground below the hips. */
export function findGroundOfHips({ sourceGround, ground, hips, hipsPositions: at }: LiveState): void {
  if (sourceGround !== null) hips.sourceGround = heightAt(sourceGround, at[0], at[2]);
  if (ground !== null) hips.ground = heightAt(ground, at[3], at[5]);
}
