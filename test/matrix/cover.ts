/** Which files of others are motions and characters, and what is a fault of a pair. */
import type { Limb } from '../../src/core/humanoid/humanoid.ts';
import { assetFiles } from '../assets.ts';
import { GESTURE_DEGREES, HIPS_RATIO } from '../tolerances.ts';
import { openOnce, type PairResult } from './pair.ts';

/** Files that may be refused: their joints have no names. */
export const NAMELESS: readonly string[] = ['CesiumMan.glb', 'RiggedFigure.glb'];

export const NEGATIVES = (): string[] => assetFiles('assets/negative', 'glb');

export const CHARACTERS = (): string[] => [...assetFiles('assets/glb', 'glb'), ...assetFiles('assets/vrm', 'vrm')];

/** Files that may have motion; those without a clip are left out by {@link clipIndices}. */
export const MOTIONS = (): string[] => [
  ...assetFiles('assets/glb', 'glb'),
  ...assetFiles('assets/vrma', 'vrma'),
  ...assetFiles('assets/bvh', 'bvh'),
  ...SKELETONS(),
];

/** FBX files: all are inspected, those that move are motions. */
export const SKELETONS = (): string[] => assetFiles('assets/fbx', 'fbx');

/** The first clips of a motion file that move anything. */
export async function clipIndices(motion: string, most: number): Promise<number[]> {
  const { asset } = await openOnce(motion);
  const indices = asset.clips.flatMap(({ clips }, index) =>
    clips.some(({ tracks }) => tracks.length > 0) ? [index] : [],
  );
  return indices.slice(0, most);
}

/** Segments that a motion shifts by moving joints, or that hang elsewhere in its node tree, have directions of their own. */
const SHIFTED: readonly string[] = ['RobotExpressive.glb', 'pc_lumberjack.glb', 'KayKit_Knight.glb'];

/** Its only clip is a pose of some fingers: characters without these have nothing of it. */
const FINGERS_ONLY = 'ozz_pab_skeleton.fbx';

/** Whether nothing may come of a pair. */
function mayBeRefused({ motion, character, exit, reason }: PairResult): boolean {
  if (exit !== 1) return false;
  if (motion === FINGERS_ONLY && reason?.includes('animates no bone')) return true;
  return NAMELESS.includes(motion) || NAMELESS.includes(character);
}

/** What is wrong with the result of a pair; empty when it is as promised. */
export function faultsOf(result: PairResult): string[] {
  const { motion, exit, reason, gesture, allowed, newCodes } = result;
  if (gesture === null) return mayBeRefused(result) ? [] : [`exit ${exit}: ${reason}`];
  const faults: string[] = [];
  if (!gesture.isFinite) faults.push('not finite');
  if (gesture.worldDelta.max > GESTURE_DEGREES)
    faults.push(`${gesture.worldDelta.bone} is ${gesture.worldDelta.max.toFixed(4)}° off`);
  if (gesture.hipsHeight > HIPS_RATIO) faults.push(`hips height is ${gesture.hipsHeight.toExponential(1)} off`);
  for (const [limb, degrees] of Object.entries(gesture.directions) as [Limb, number][]) {
    const bound = (allowed[limb] ?? 0) + GESTURE_DEGREES;
    if (degrees > bound && !SHIFTED.includes(motion))
      faults.push(`${limb} points ${degrees.toFixed(3)}° off, allowed ${bound.toFixed(3)}°`);
  }
  if (newCodes.length > 0) faults.push(`validator: ${newCodes.join(', ')}`);
  return faults;
}
