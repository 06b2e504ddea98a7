/** Which skeleton of a file is the one that is meant. */
import type { AssetClip, AssetSkeleton } from '../core/asset/asset.ts';
import type { Description } from '../core/humanoid/describe-humanoid.ts';
import type { GivenBones, Humanoid } from '../core/humanoid/humanoid.ts';
import { mapGivenBones } from '../core/humanoid/mapping/given-map.ts';
import { type Issue, issue } from '../core/report/issue.ts';
import { type BodyOptions, describeBody } from './describe-body.ts';
import type { OpenFile } from './open.ts';
import { OptionError } from './option-error.ts';

/** A humanoid and the skeleton of the file that it is. */
export interface Body {
  readonly humanoid: Humanoid;
  readonly part: AssetSkeleton;
  /** Index among the skeletons of the file. */
  readonly index: number;
}

/** The body that is meant, or why there is none. */
export interface BodyChoice {
  readonly body: Body | null;
  /** Why there is none; null when there is one. */
  readonly reason: string | null;
  /** Skeleton that was looked at; null when the file has none. */
  readonly skeleton: string | null;
  /** Its index among the skeletons of the file; −1 when the file has none. */
  readonly index: number;
  readonly issues: readonly Issue[];
}

/** Skeletons that are listed in a message at most. */
const LISTED = 20;

/** What a body is for; messages name the options of that side. */
export type Role = 'source' | 'target' | 'only';

/** Name of the option that chooses a skeleton. */
function skeletonOption(role: Role): string {
  return role === 'only' ? 'skeleton' : `${role}Skeleton`;
}

function lineOf({ skeleton }: AssetSkeleton, index: number, description: Description | null): string {
  const joints = skeleton.joints.reduce((sum, joint) => sum + joint, 0);
  const what =
    description === null ? '' : `: ${description.reason === null ? 'humanoid' : `not humanoid: ${description.reason}`}`;
  return `  ${index}  ${JSON.stringify(skeleton.name)}, ${skeleton.names.length} nodes, ${joints} joints${what}`;
}

function listSkeletons(file: OpenFile, descriptions: readonly Description[] | null): string {
  const { skeletons } = file.asset;
  const lines = skeletons.slice(0, LISTED).map((part, k) => lineOf(part, k, descriptions?.[k] ?? null));
  if (skeletons.length > LISTED) lines.push(`  and ${skeletons.length - LISTED} more`);
  return lines.join('\n');
}

function findSkeleton(file: OpenFile, wanted: string | number, role: Role): number {
  const { skeletons } = file.asset;
  const text = String(wanted);
  const byName = skeletons.findIndex(({ skeleton }) => skeleton.name === text);
  if (byName >= 0) return byName;
  if (/^\d+$/.test(text) && Number(text) < skeletons.length) return Number(text);
  const there = skeletons.length === 0 ? 'it has none' : `there are:\n${listSkeletons(file, null)}`;
  throw new OptionError(skeletonOption(role), `${file.name} has no skeleton ${JSON.stringify(text)}; ${there}`);
}

/** Index of the only skeleton that has all nodes of a given map. */
function skeletonOfMap(file: OpenFile, given: GivenBones, role: Role): number {
  const fitting = file.asset.skeletons.flatMap(({ skeleton, sourceNodes }, index) => {
    return mapGivenBones(skeleton, sourceNodes, given).issues.length === 0 ? [index] : [];
  });
  if (fitting.length === 1) return fitting[0];
  const count = fitting.length === 0 ? 'none' : `${fitting.length}`;
  const message = `the bone map fits ${count} of the ${file.asset.skeletons.length} skeletons of ${file.name}; choose one:`;
  throw new OptionError(skeletonOption(role), `${message}\n${listSkeletons(file, null)}`);
}

function describe(
  file: OpenFile,
  index: number,
  role: Role,
  options: BodyOptions,
  wanted: readonly AssetClip[],
): Description {
  const { skeleton, sourceNodes } = file.asset.skeletons[index];
  const { map: given, skeleton: _, ...about } = options;
  if (given === undefined) return describeBody(file, index, about, wanted);
  const { map, issues } = mapGivenBones(skeleton, sourceNodes, given);
  if (issues.length > 0) {
    const wrong = issues.map(({ message }) => message).join('\n  ');
    throw new OptionError(`${role}Map`, `the bone map does not fit ${file.name}:\n  ${wrong}`);
  }
  return describeBody(file, index, { map, ...about }, wanted);
}

function choiceOf(file: OpenFile, index: number, description: Description, more: readonly Issue[] = []): BodyChoice {
  const part = file.asset.skeletons[index];
  const { humanoid, reason } = description;
  const issues = [...more, ...description.issues];
  const skeleton = part.skeleton.name;
  return { body: humanoid === null ? null : { humanoid, part, index }, reason, skeleton, index, issues };
}

/** Of skeletons that are not humanoid, the one that a reason is worth giving for: it has most joints, then most nodes. */
function largest(file: OpenFile): number {
  const { skeletons } = file.asset;
  const sizes = skeletons.map(
    ({ skeleton }) => skeleton.joints.reduce((sum, joint) => sum + joint, 0) * 1e7 + skeleton.names.length,
  );
  return sizes.indexOf(Math.max(...sizes));
}

/** The portable body (of humanoid clips) that a clip moves; −1 when it moves none. */
export function portableBodyOf({ asset }: OpenFile, { clips }: AssetClip): number {
  return asset.skeletons.findIndex(({ isPortable }, index) => isPortable === true && clips[index].tracks.length > 0);
}

/**
 * The skeletons that may be meant: humanoid clips have a body of their own, which is that of the wanted clips when all of them are humanoid clips,
 * and never a character where the file has one.
 */
function skeletonsMeant(file: OpenFile, role: Role, wanted: readonly AssetClip[]): number[] {
  const { skeletons } = file.asset;
  const indices = Array.from(skeletons.keys());
  const ofNodes = indices.filter((index) => skeletons[index].isPortable !== true);
  if (ofNodes.length === indices.length) return indices;
  if (role === 'target' && ofNodes.length > 0) return ofNodes;
  const moved = wanted.map((clip) => portableBodyOf(file, clip));
  const portable = indices.filter((index) => moved.includes(index));
  if (portable.length === 0) return ofNodes.length > 0 ? ofNodes : indices;
  return moved.includes(-1) ? [...ofNodes, ...portable] : portable;
}

/**
 * The body of a file: the skeleton that is asked for, else the only one that is humanoid. Humanoid clips of a file have a body of their own, which
 * is that of the wanted clips when all of them are humanoid clips. `wanted` are the clips whose frames a pose option
 * counts.
 *
 * @throws OptionError when a skeleton is asked for that is not there, or several are humanoid and none is asked for; the
 *   message lists them.
 */
export function chooseBody(
  file: OpenFile,
  role: Role,
  options: BodyOptions,
  wanted: readonly AssetClip[] = file.asset.clips,
): BodyChoice {
  const { skeletons } = file.asset;
  if (options.skeleton !== undefined) {
    const index = findSkeleton(file, options.skeleton, role);
    return choiceOf(file, index, describe(file, index, role, options, wanted));
  }
  if (skeletons.length === 0) {
    const reason = 'it has no skeleton: neither a skin nor a tree of nodes';
    return { body: null, reason, skeleton: null, index: -1, issues: [] };
  }
  if (skeletons.length === 1) return choiceOf(file, 0, describe(file, 0, role, options, wanted));
  if (options.map !== undefined) {
    const index = skeletonOfMap(file, options.map, role);
    return choiceOf(file, index, describe(file, index, role, options, wanted));
  }

  const meant = skeletonsMeant(file, role, wanted);
  if (meant.length === 1) return choiceOf(file, meant[0], describe(file, meant[0], role, options, wanted));
  const descriptions = skeletons.map((_, index) => describe(file, index, role, options, wanted));
  const humanoids = meant.filter((index) => descriptions[index].humanoid !== null);
  if (humanoids.length > 1) {
    const message = `${file.name} has ${humanoids.length} humanoid skeletons; choose one by name or index:`;
    throw new OptionError(skeletonOption(role), `${message}\n${listSkeletons(file, descriptions)}`);
  }
  if (humanoids.length === 0) {
    const index = largest(file);
    const choice = choiceOf(file, index, descriptions[index]);
    const reason = `none of its ${skeletons.length} skeletons is humanoid; ${JSON.stringify(choice.skeleton)}: ${choice.reason}`;
    return { ...choice, reason };
  }
  const [index] = humanoids;
  const name = JSON.stringify(skeletons[index].skeleton.name);
  const message = `${file.name} has ${skeletons.length} skeletons; ${name}, the only humanoid one, was taken`;
  return choiceOf(file, index, descriptions[index], [issue('SKELETON_CHOSEN', message)]);
}
