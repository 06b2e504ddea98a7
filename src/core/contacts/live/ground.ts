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

/**
 * Returns the ground below one foot of a character: the higher of those below ball and heel, and where they will be soon. `t`: index of the ball in
 * the ends of the foot; the heel follows. `shift`: offset of the ends, x and z. `scale`: velocities of the character, relative to those of the
 * source.
 */
function groundBelow(
  { ends, velocities }: LiveFoot,
  ground: GroundHeight,
  t: number,
  shift: Float64Array,
  scale: number,
): number {
  const ahead = LOOK_AHEAD * scale;
  let highest = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < 6; at += 3) {
    const x = ends[t + at] + shift[0];
    const z = ends[t + at + 2] + shift[1];
    highest = Math.max(
      highest,
      heightAt(ground, x, z),
      heightAt(ground, x + ahead * velocities[at], z + ahead * velocities[at + 2]),
    );
  }
  return highest;
}

/** Finds the ground below the feet; without heights it stays 0. Edges are passed in a few hundredths of a second. */
export function findGrounds(foot: LiveFoot, { sourceGround, ground, plan, time, isFresh }: LiveState): void {
  const { memory } = foot;
  const step = isFresh ? 1 : time.attack;
  if (sourceGround !== null)
    memory.sourceGround += (groundBelow(foot, sourceGround, 0, nowhere, 1) - memory.sourceGround) * step;
  if (ground !== null)
    memory.ground += (groundBelow(foot, ground, 6, memory.shift, plan.retarget.hipsScale) - memory.ground) * step;
}

export function findGroundOfHips({ sourceGround, ground, hips, hipsPositions: at }: LiveState): void {
  if (sourceGround !== null) hips.sourceGround = heightAt(sourceGround, at[0], at[2]);
  if (ground !== null) hips.ground = heightAt(ground, at[3], at[5]);
}
