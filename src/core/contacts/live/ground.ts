/** The ground below characters that are not on a plane: heights that the caller knows. */
import type { GroundHeight, LiveFoot, LiveState } from './live-state.ts';
import * as liveState from './live-state.ts';

// Constants of this file are compiled in; those of others would be looked up at every access.
const { HIPS, MEMORY, TIME } = liveState;

/** Seconds that the way of a foot is looked ahead: over an edge it has to be high before it is there. */
const LOOK_AHEAD = 0.1;

/** Returns the height at a place; 0 where there is none. */
function heightAt(ground: GroundHeight, x: number, z: number): number {
  const height = ground(x, z);
  return Number.isFinite(height) ? height : 0;
}

/**
 * Finds the ground below one foot of a character: the higher of those below toe joint and heel, and where they will be soon. Edges are passed in a few hundredths of a second.
 *
 * @param t Index of the toe joint in the tips of the foot; the heel follows.
 * @param m Index in the memory of the foot that keeps the height.
 * @param scale Velocities of the character, relative to those of the source.
 */
function findGround(foot: LiveFoot, live: LiveState, ground: GroundHeight, t: number, m: number, scale: number): void {
  const { tips, velocities, memory } = foot;
  const ofTarget = t > 0;
  const shiftX = ofTarget ? memory[MEMORY.shift] : 0;
  const shiftZ = ofTarget ? memory[MEMORY.shift + 1] : 0;
  let highest = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < 6; at += 3) {
    const x = tips[t + at] + shiftX;
    const z = tips[t + at + 2] + shiftZ;
    const ahead = LOOK_AHEAD * scale;
    highest = Math.max(
      highest,
      heightAt(ground, x, z),
      heightAt(ground, x + ahead * velocities[at], z + ahead * velocities[at + 2]),
    );
  }
  memory[m] += (highest - memory[m]) * (live.isFresh ? 1 : live.time[TIME.attack]);
}

/** Finds the ground below the feet; without heights it stays 0. */
export function findGrounds(foot: LiveFoot, live: LiveState): void {
  const { sourceGround, ground, plan } = live;
  if (sourceGround !== null) findGround(foot, live, sourceGround, 0, MEMORY.sourceGround, 1);
  if (ground !== null) findGround(foot, live, ground, 6, MEMORY.ground, plan.retarget.hipsScale);
}

/** Finds the ground below the hips. */
export function findGroundOfHips({ sourceGround, ground, hips, hipsPositions: at }: LiveState): void {
  if (sourceGround !== null) hips[HIPS.sourceGround] = heightAt(sourceGround, at[0], at[2]);
  if (ground !== null) hips[HIPS.ground] = heightAt(ground, at[3], at[5]);
}
