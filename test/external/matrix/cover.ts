/** Third-party files used as motions and characters, and the faults of a pair. */
import type { Limb } from '../../../src/core/humanoid/humanoid.ts';
import { assetFiles, humanoidFiles } from '../../support/assets.ts';
import { EXTREMITY_DEGREES, HIPS_RATIO, POSE_DEGREES } from '../../support/tolerances.ts';
import { openOnce, type PairResult } from './pair.ts';

export const NEGATIVES = (): string[] => assetFiles('assets', 'glb').filter((path) => path.includes('negative'));

/** FBX files with a character mesh; the others are skeletons. */
const FBX_CHARACTERS = /SeedSan|maya_human_ik_7400|kenney/;

/** USD files used as characters. The animated one is excluded: its animation mirrors the shoulders, so retargeted rotations would be mirrored. */
const USD_CHARACTERS = /animu_mocopi/;
const USD_MOTIONS = /openusd_skeleton/;

const USD_FILES = (): string[] => assetFiles('assets/usd', 'usda');

export const CHARACTERS = (): string[] => [
  ...humanoidFiles('assets/glb', 'glb'),
  ...assetFiles('assets/vrm', 'vrm'),
  ...SKELETONS().filter((path) => FBX_CHARACTERS.test(path)),
  ...USD_FILES().filter((path) => USD_CHARACTERS.test(path)),
];

/** Files that may have motion; those without a clip are left out by {@link clipIndices}. */
export const MOTIONS = (): string[] => [
  ...humanoidFiles('assets/glb', 'glb'),
  ...assetFiles('assets/vrma', 'vrma'),
  ...assetFiles('assets/bvh', 'bvh'),
  ...SKELETONS(),
  ...USD_FILES().filter((path) => USD_MOTIONS.test(path)),
];

/** All FBX files. All are inspected; the animated ones are motions. */
export const SKELETONS = (): string[] => assetFiles('assets/fbx', 'fbx');

/** Returns the first clips of a motion file that have tracks. */
export async function clipIndices(motion: string, most: number): Promise<number[]> {
  const { asset } = await openOnce(motion);
  const indices = asset.clips.flatMap(({ clips }, index) =>
    clips.some(({ tracks }) => tracks.length > 0) ? [index] : [],
  );
  return indices.slice(0, most);
}

/** Kind of a fault: nothing was written, or a measured value is out of tolerance. */
type FaultKind = 'refused' | 'broken' | 'rotation' | 'hips' | 'direction' | 'palm' | 'heading' | 'validator';

interface Fault {
  readonly kind: FaultKind;
  readonly text: string;
}

/** Returns whether there was nothing to retarget: the motion animates only bones that the character lacks. */
function isNothingToDo({ kind }: Fault, { reason }: PairResult): boolean {
  return kind === 'refused' && /animates no bone/.test(reason ?? '');
}

/** Lists all values out of tolerance. */
function allFaults({ exit, reason, poseError, allowed, hipsShift, newCodes }: PairResult): Fault[] {
  if (poseError === null) return [{ kind: exit === 1 ? 'refused' : 'broken', text: `exit ${exit}: ${reason}` }];
  const faults: Fault[] = [];
  const add = (kind: FaultKind, text: string): void => {
    faults.push({ kind, text });
  };
  if (!poseError.isFinite) add('broken', 'not finite');
  const { max, bone } = poseError.worldDelta;
  if (max > POSE_DEGREES) add('rotation', `${bone} is ${max.toFixed(4)}° off`);
  if (!(poseError.hipsHeight <= HIPS_RATIO + hipsShift))
    add('hips', `hips height is ${poseError.hipsHeight.toExponential(1)} off`);
  const compare = (kind: FaultKind, what: string, degrees: number, bound: number): void => {
    if (!(degrees <= bound)) add(kind, `${what} ${degrees.toFixed(3)}° off, allowed ${bound.toFixed(3)}°`);
  };
  for (const [limb, degrees] of Object.entries(poseError.directions) as [Limb, number][]) {
    compare('direction', `${limb} points`, degrees, (allowed.directions[limb] ?? 0) + POSE_DEGREES);
  }
  for (const side of ['left', 'right'] as const) {
    const { palms, headings } = poseError;
    compare('palm', `${side} palm faces`, palms[side] ?? 0, (allowed.palms[side] ?? 0) + EXTREMITY_DEGREES);
    compare('heading', `${side} foot heads`, headings[side] ?? 0, (allowed.headings[side] ?? 0) + EXTREMITY_DEGREES);
  }
  if (newCodes.length > 0) add('validator', `validator: ${newCodes.join(', ')}`);
  return faults;
}

/** Lists the faults of a pair; empty if there are none. */
export function faultsOf(result: PairResult): string[] {
  const faults = allFaults(result).filter((fault) => !isNothingToDo(fault, result));
  return faults.map(({ text }) => text);
}
