/** Which files of others are motions and characters, and what is a fault of a pair. */
import type { Limb } from '../../src/core/humanoid/humanoid.ts';
import { assetFiles } from '../assets.ts';
import { EXTREMITY_DEGREES, HIPS_RATIO, POSE_DEGREES } from '../tolerances.ts';
import { openOnce, type PairResult } from './pair.ts';

export const NEGATIVES = (): string[] => assetFiles('assets/negative', 'glb');

/** FBX files with a body; the others are skeletons. */
const FBX_BODIES = /SeedSan|maya_human_ik_7400|kenney/;

/** USD files of whole humanoids. The one that moves has shoulders that its animation mirrors: what is put on it turns the other way. */
const USD_BODIES = /animu_mocopi/;
const USD_MOTIONS = /openusd_skeleton/;

const USD_FILES = (): string[] => assetFiles('assets/usd', 'usda');

export const CHARACTERS = (): string[] => [
  ...assetFiles('assets/glb', 'glb'),
  ...assetFiles('assets/vrm', 'vrm'),
  ...SKELETONS().filter((path) => FBX_BODIES.test(path)),
  ...USD_FILES().filter((path) => USD_BODIES.test(path)),
];

/** Files that may have motion; those without a clip are left out by {@link clipIndices}. */
export const MOTIONS = (): string[] => [
  ...assetFiles('assets/glb', 'glb'),
  ...assetFiles('assets/vrma', 'vrma'),
  ...assetFiles('assets/bvh', 'bvh'),
  ...SKELETONS(),
  ...USD_FILES().filter((path) => USD_MOTIONS.test(path)),
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

/** What a fault is about: nothing was written, or some figure is off. */
type FaultKind = 'refused' | 'broken' | 'turn' | 'hips' | 'direction' | 'palm' | 'heading' | 'validator';

interface Fault {
  readonly kind: FaultKind;
  readonly text: string;
}

/** Whether nothing was to be done: a motion of bones that the character has none of, as a pose of fingers on a mitten. */
function isNothingToDo({ kind }: Fault, { reason }: PairResult): boolean {
  return kind === 'refused' && /animates no bone/.test(reason ?? '');
}

/** Everything that is not as promised. */
function allFaults({ exit, reason, poseError, allowed, newCodes }: PairResult): Fault[] {
  if (poseError === null) return [{ kind: exit === 1 ? 'refused' : 'broken', text: `exit ${exit}: ${reason}` }];
  const faults: Fault[] = [];
  const add = (kind: FaultKind, text: string): void => {
    faults.push({ kind, text });
  };
  if (!poseError.isFinite) add('broken', 'not finite');
  const { max, bone } = poseError.worldDelta;
  if (max > POSE_DEGREES) add('turn', `${bone} is ${max.toFixed(4)}° off`);
  if (poseError.hipsHeight > HIPS_RATIO) add('hips', `hips height is ${poseError.hipsHeight.toExponential(1)} off`);
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

/** What is wrong with the result of a pair; empty when it is as promised. */
export function faultsOf(result: PairResult): string[] {
  const faults = allFaults(result).filter((fault) => !isNothingToDo(fault, result));
  return faults.map(({ text }) => text);
}
