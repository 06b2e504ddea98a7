import type { AssetClip, AssetSkeleton } from '../../core/asset/asset.ts';
import type { HumanoidDescription } from '../../core/humanoid/describe-humanoid.ts';
import type { BoneAssignments, Humanoid } from '../../core/humanoid/humanoid.ts';
import { resolveBoneMap } from '../../core/humanoid/mapping/create-bone-map.ts';
import { getOrCreate } from '../../core/math/get-or-create.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { joinOutfits, mainOfCoincident } from '../../core/retarget/detached/join-outfits.ts';
import { type Kept, keepOrFind, numberOf } from '../keep.ts';
import type { OpenFile } from '../open-file.ts';
import { OptionError } from '../option-error.ts';
import { describeFileHumanoid, describeSkeletons, type HumanoidOptions } from './describe-file-humanoid.ts';

/** A humanoid and its skeleton in the file. */
export interface FoundHumanoid {
  /** The humanoid. */
  readonly humanoid: Humanoid;
  /** Its skeleton. */
  readonly part: AssetSkeleton;
  /** Index among the skeletons of the file. */
  readonly index: number;
}

/** The humanoid of a file, or the reason why none was found. */
export interface HumanoidChoice {
  /** The humanoid; null without one. */
  readonly found: FoundHumanoid | null;
  /** Why none was found; null when one was. */
  readonly reason: string | null;
  /** Name of the skeleton that was examined; null when the file has none. */
  readonly skeleton: string | null;
  /** Its index among the skeletons of the file; −1 when the file has none. */
  readonly index: number;
  /** What was unusual about the skeleton. */
  readonly issues: readonly Issue[];
  /** Indices of the skeletons where several are humanoid and none is selected: none was found, and the reason lists them. */
  readonly people?: readonly number[];
}

/** Maximum number of skeletons listed in a message. */
const LISTED = 20;

/** The side of a job that the humanoid is for, which determines the option names in messages. */
type HumanoidRole = 'source' | 'target' | 'only';

function skeletonOption(role: HumanoidRole): string {
  return role === 'only' ? 'skeleton' : `${role}Skeleton`;
}

function lineOf({ skeleton }: AssetSkeleton, index: number, description: HumanoidDescription | null): string {
  const joints = skeleton.joints.reduce((sum, joint) => sum + joint, 0);
  const what =
    description === null ? '' : `: ${description.reason === null ? 'humanoid' : `not humanoid: ${description.reason}`}`;
  return `  ${index}  ${JSON.stringify(skeleton.name)}, ${skeleton.names.length} nodes, ${joints} joints${what}`;
}

function listSkeletons(file: OpenFile, descriptions: readonly HumanoidDescription[] | null): string {
  const { skeletons } = file.asset;
  const lines = skeletons.slice(0, LISTED).map((part, k) => lineOf(part, k, descriptions?.[k] ?? null));
  if (skeletons.length > LISTED) lines.push(`  and ${skeletons.length - LISTED} more`);
  return lines.join('\n');
}

function findSkeleton(file: OpenFile, wanted: string | number, role: HumanoidRole): number {
  const { skeletons } = file.asset;
  const text = String(wanted);
  const byName = skeletons.findIndex(({ skeleton }) => skeleton.name === text);
  if (byName >= 0) return byName;
  if (/^\d+$/.test(text) && Number(text) < skeletons.length) return Number(text);
  const choices = skeletons.length === 0 ? 'it has no skeletons' : `choose one of:\n${listSkeletons(file, null)}`;
  throw new OptionError(skeletonOption(role), `${file.name} has no skeleton ${JSON.stringify(text)}; ${choices}`);
}

function skeletonOfMap(file: OpenFile, assignments: BoneAssignments, role: HumanoidRole): number {
  const fitting = file.asset.skeletons.flatMap(({ skeleton, sourceNodes }, index) => {
    return resolveBoneMap(skeleton, sourceNodes, assignments).issues.length === 0 ? [index] : [];
  });
  if (fitting.length === 1) return fitting[0];
  const count = fitting.length === 0 ? 'none' : `${fitting.length}`;
  const message = `The bone map fits ${count} of the ${file.asset.skeletons.length} skeletons of ${file.name}; choose one by name or index:`;
  throw new OptionError(skeletonOption(role), `${message}\n${listSkeletons(file, null)}`);
}

function describe(
  file: OpenFile,
  index: number,
  role: HumanoidRole,
  options: HumanoidOptions,
  wanted: readonly AssetClip[],
): HumanoidDescription {
  const { skeleton, sourceNodes } = file.asset.skeletons[index];
  const { map: assignments, skeleton: _, ...others } = options;
  if (assignments === undefined) return describeFileHumanoid(file, index, others, wanted);
  const { map, issues } = resolveBoneMap(skeleton, sourceNodes, assignments);
  if (issues.length > 0) {
    const faults = issues.map(({ message }) => message).join('\n  ');
    throw new OptionError(
      role === 'only' ? 'map' : `${role}Map`,
      `The bone map does not fit ${file.name}; correct these entries:\n  ${faults}`,
    );
  }
  return describeFileHumanoid(file, index, { map, ...others }, wanted);
}

function quoteSkeletons({ asset }: OpenFile, indices: readonly number[]): string {
  const quoted = indices.slice(0, LISTED).map((index) => JSON.stringify(asset.skeletons[index].skeleton.name));
  const more = indices.length > LISTED ? [`${indices.length - LISTED} more`] : [];
  return [...quoted, ...more].join(', ');
}

/** Choices with outfits. */
const dressed = new WeakMap<HumanoidChoice, HumanoidChoice>();

/** Adds the skeletons that a character wears to its own, and reports those that stay where they are. */
function wearOutfits(file: OpenFile, choice: HumanoidChoice): HumanoidChoice {
  const { found: own } = choice;
  return own === null ? choice : getOrCreate(dressed, choice, () => dress(file, choice, own));
}

function dress(file: OpenFile, choice: HumanoidChoice, own: FoundHumanoid): HumanoidChoice {
  const { skeletons } = file.asset;
  const others = [...skeletons.keys()].filter(
    (index) => index !== own.index && skeletons[index].isCanonicalRig !== true,
  );
  const joined = joinOutfits(
    own.humanoid,
    own.part,
    others.map((index) => skeletons[index]),
  );
  const { humanoid, skeleton, sourceNodes } = joined;
  const issues = [...choice.issues];
  if (joined.apart.length > 0) {
    const names = quoteSkeletons(
      file,
      joined.apart.map((k) => others[k]),
    );
    const message =
      `Skins with the skeletons ${names} do not move with ${JSON.stringify(own.part.skeleton.name)}: none or few of their joints are at its bones in the bind ` +
      'pose. Bind clothes of the character to its skeleton; another character stays as it is.';
    issues.push(issue('SKINS_APART', message));
  }
  return { ...choice, found: { ...own, humanoid, part: { ...own.part, skeleton, sourceNodes } }, issues };
}

function toChoice(
  file: OpenFile,
  index: number,
  description: HumanoidDescription,
  more: readonly Issue[] = [],
): HumanoidChoice {
  const part = file.asset.skeletons[index];
  const { humanoid, reason } = description;
  const issues = [...more, ...description.issues];
  const skeleton = part.skeleton.name;
  return { found: humanoid === null ? null : { humanoid, part, index }, reason, skeleton, index, issues };
}

/** Returns the skeleton with the most joints, then the most nodes, whose reason is reported when no skeleton is humanoid. */
function largestSkeleton(file: OpenFile): number {
  const { skeletons } = file.asset;
  const sizes = skeletons.map(
    ({ skeleton }) => skeleton.joints.reduce((sum, joint) => sum + joint, 0) * 1e7 + skeleton.names.length,
  );
  return sizes.indexOf(Math.max(...sizes));
}

export function canonicalRigOf({ asset }: OpenFile, { clips }: AssetClip): number {
  return asset.skeletons.findIndex(
    ({ isCanonicalRig }, index) => isCanonicalRig === true && clips[index].tracks.length > 0,
  );
}

/**
 * Lists the skeletons in question. Canonical rigs of humanoid clips count only when the wanted clips animate them, and never as a target where the
 * file has a character.
 */
function candidateSkeletons(file: OpenFile, role: HumanoidRole, wanted: readonly AssetClip[]): number[] {
  const { skeletons } = file.asset;
  const indices = Array.from(skeletons.keys());
  const ofNodes = indices.filter((index) => skeletons[index].isCanonicalRig !== true);
  if (ofNodes.length === indices.length) return indices;
  if (role === 'target' && ofNodes.length > 0) return ofNodes;
  const animated = wanted.map((clip) => canonicalRigOf(file, clip));
  const rigs = indices.filter((index) => animated.includes(index));
  if (rigs.length === 0) return ofNodes.length > 0 ? ofNodes : indices;
  return animated.includes(-1) ? [...ofNodes, ...rigs] : rigs;
}

/** Choices that were made for the files in use. */
const choices: Kept<OpenFile, HumanoidChoice> = new WeakMap();

/**
 * Chooses the humanoid of a file for a job: the selected skeleton, else the only one that is humanoid. Humanoid clips have a canonical rig of their
 * own, which is used when all wanted clips are humanoid clips. The last four questions about a file get the same objects. `wanted`: clips of the
 * job, which a pose option counts frames of. Returns the humanoid, or the reason why none was found: none or several are humanoid. Throws
 * OptionError (`skeleton`, `sourceSkeleton`, `targetSkeleton`) for a skeleton that does not exist; OptionError (`…Map`) for a bone map that does not fit.
 */
export function lookForHumanoid(
  file: OpenFile,
  role: HumanoidRole,
  options: HumanoidOptions,
  wanted: readonly AssetClip[],
): HumanoidChoice {
  const choice = keepOrFind(choices, file, questionOf(file, role, options, wanted), () =>
    searchHumanoid(file, role, options, wanted),
  );
  return role === 'target' ? wearOutfits(file, choice) : choice;
}

/** Chooses the humanoid of a file as {@link lookForHumanoid}, but throws OptionError, too, when several are humanoid and none is selected; the message lists them. */
export function chooseHumanoid(
  file: OpenFile,
  role: HumanoidRole,
  options: HumanoidOptions,
  wanted: readonly AssetClip[] = file.asset.clips,
): HumanoidChoice {
  const choice = lookForHumanoid(file, role, options, wanted);
  if (choice.people !== undefined) throw new OptionError(skeletonOption(role), choice.reason as string);
  return choice;
}

/**
 * Words what {@link lookForHumanoid} is asked, as a key. Role and clips matter where rigs of humanoid clips are to choose from, clips also where the pose is
 * one of their frames. Before a decoder is attached, a file has no vertices, from which poses are estimated.
 */
function questionOf(
  file: OpenFile,
  role: HumanoidRole,
  { pose, ...others }: HumanoidOptions,
  wanted: readonly AssetClip[],
): string {
  const hasDecoder = file.format === 'gltf' && file.document.cache.dracoDecoder !== null;
  const ofFile = typeof pose === 'object' && 'file' in pose ? { ...pose, file: numberOf(pose.file) } : pose;
  const hasRigs = file.asset.skeletons.some(({ isCanonicalRig }) => isCanonicalRig === true);
  const isFrame = typeof pose === 'object' && 'frame' in pose;
  return JSON.stringify([
    hasDecoder,
    ofFile,
    others,
    hasRigs ? role : '',
    hasRigs || isFrame ? wanted.map(numberOf) : [],
  ]);
}

function searchHumanoid(
  file: OpenFile,
  role: HumanoidRole,
  options: HumanoidOptions,
  wanted: readonly AssetClip[],
): HumanoidChoice {
  const { skeletons } = file.asset;
  if (options.skeleton !== undefined) {
    const index = findSkeleton(file, options.skeleton, role);
    return toChoice(file, index, describe(file, index, role, options, wanted));
  }
  if (skeletons.length === 0) {
    const reason = 'it has no skeleton: neither a skin nor a node hierarchy';
    return { found: null, reason, skeleton: null, index: -1, issues: [] };
  }
  if (skeletons.length === 1) return toChoice(file, 0, describe(file, 0, role, options, wanted));
  if (options.map !== undefined) {
    const index = skeletonOfMap(file, options.map, role);
    return toChoice(file, index, describe(file, index, role, options, wanted));
  }

  const candidates = candidateSkeletons(file, role, wanted);
  if (candidates.length === 1) {
    return toChoice(file, candidates[0], describe(file, candidates[0], role, options, wanted));
  }
  const descriptions = describeSkeletons(file, (index) => describe(file, index, role, options, wanted));
  const humanoids = candidates.filter((index) => descriptions[index].humanoid !== null);
  const chosen = mainOfCoincident(
    humanoids.map((index) => ({ humanoid: descriptions[index].humanoid as Humanoid, part: skeletons[index] })),
  );
  if (humanoids.length > 1 && chosen < 0) {
    const reason = `${file.name} has ${humanoids.length} humanoid skeletons; choose one by name or index:\n${listSkeletons(file, descriptions)}`;
    return { found: null, reason, skeleton: null, index: -1, issues: [], people: humanoids };
  }
  if (humanoids.length === 0) {
    const index = largestSkeleton(file);
    const choice = toChoice(file, index, descriptions[index]);
    const reason = `none of its ${skeletons.length} skeletons is humanoid; ${JSON.stringify(choice.skeleton)}: ${choice.reason}`;
    return { ...choice, reason };
  }
  const main = humanoids[chosen];
  const name = JSON.stringify(skeletons[main].skeleton.name);
  const which = humanoids.length > 1 ? 'whose bones all humanoid ones share' : 'the only humanoid one';
  const message = `${file.name} has ${skeletons.length} skeletons; ${name}, ${which}, was used`;
  return toChoice(file, main, descriptions[main], [issue('SKELETON_CHOSEN', message)]);
}

/**
 * Finds the humanoid of a file like {@link findHumanoid}, but returns null for a file without one.
 *
 * @param options Selected skeleton, user-supplied bone map and pose.
 * @returns The humanoid; null for a file without one.
 * @throws OptionError as {@link findHumanoid}, but not for a file without a humanoid.
 * @example
 * const found = tryFindHumanoid(await openFile('chair.glb'));
 * if (found === null) console.log('not humanoid');
 */
export function tryFindHumanoid(file: OpenFile, options: HumanoidOptions = {}): FoundHumanoid | null {
  return wearOutfits(file, chooseHumanoid(file, 'only', options)).found;
}

/**
 * Finds the humanoid of a file: the selected skeleton, else the only one that is humanoid, with the clothes that it wears. It is shared between calls, so do not
 * change it.
 *
 * @param options Selected skeleton, user-supplied bone map and pose.
 * @returns The humanoid.
 * @throws OptionError (`file`) for a file without a humanoid, with the reason; (`skeleton`) for a skeleton that does not exist, and when several are humanoid and
 *   none is selected, with a list of them; (`map`) for a bone map that does not fit.
 * @example
 * const walk = findHumanoid(await openFile('walk.fbx'));
 * const hero = findHumanoid(await openFile('hero.glb'));
 * const plan = planRetarget(walk.humanoid, hero.humanoid);
 */
export function findHumanoid(file: OpenFile, options: HumanoidOptions = {}): FoundHumanoid {
  const { found, reason } = wearOutfits(file, chooseHumanoid(file, 'only', options));
  if (found === null) throw new OptionError('file', `${file.name} is not humanoid: ${reason}`);
  return found;
}
