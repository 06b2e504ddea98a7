/** Skeletons of a file as humanoids. */
import type { Clip } from '../core/animation/clip.ts';
import type { Asset, AssetClip, AssetSkeleton } from '../core/asset/asset.ts';
import { BONE_COUNT, BONES } from '../core/humanoid/bones.ts';
import { type DescribeOptions, type Description, describeHumanoid } from '../core/humanoid/describe-humanoid.ts';
import type { BoneMap, GivenBones } from '../core/humanoid/humanoid.ts';
import type { BoundPoints } from '../core/humanoid/reference/bound-points.ts';
import type { PoseChoice } from '../core/humanoid/reference/choose-reference.ts';
import { FormatError } from '../core/report/format-error.ts';
import { type Issue, issue } from '../core/report/issue.ts';
import { readGeometry } from '../formats/gltf/geometry/read-geometry.ts';
import { boundPoints } from './bound-points.ts';
import type { OpenFile } from './open.ts';
import { poseOfFile } from './pose-of-file.ts';

/**
 * Which pose is the reference; with `file`, the rest pose of another file, joined by node names: put through the estimator, or taken
 * as it stands when it is `exact`.
 */
export type PoseOption = PoseChoice | { readonly file: OpenFile; readonly exact?: boolean };

/** Formats of which every file says its unit in a field, if at all, which exporters get wrong. */
const SAYS_UNIT: readonly Asset['format'][] = ['fbx', 'usd'];

/** What the caller says about a body. */
export interface BodyOptions {
  /** Name or index of the skeleton; needed when several are humanoid. */
  readonly skeleton?: string | number;
  /** Nodes of bones, by name or by index in the file. It is believed, also for what looks like no humanoid. */
  readonly map?: GivenBones;
  readonly pose?: PoseOption;
  /** Whether its map is to say why, bone by bone, which takes some milliseconds; not so by default. */
  readonly explain?: boolean;
}

/** What the first of the clips does to a skeleton; null when that is nothing. */
function motionOf(clips: readonly AssetClip[], skeleton: number): Clip | null {
  const motion = clips[0]?.clips[skeleton];
  return motion === undefined || motion.tracks.length === 0 ? null : motion;
}

/** Names of clips that hold a pose to rest in: `T-Pose`, `A_TPose`, `Bind Pose`. */
const POSE_NAME = /(^|[^a-z])([tai]|rest|bind|reference)[-_ ]?pose([^a-z]|$)/i;

/** What clips that are named like a pose do to a skeleton. */
function posesOf(clips: readonly AssetClip[], skeleton: number): Clip[] {
  const named = clips.filter(({ name }) => POSE_NAME.test(name)).map((clip) => clip.clips[skeleton]);
  return named.filter((clip) => clip !== undefined && clip.tracks.length > 0);
}

/** The vertices of a glTF or a USD that move with a skeleton; null where there are none or they cannot be read: joints must do then. */
function pointsOf({ document, usd }: OpenFile, part: AssetSkeleton): BoundPoints | null {
  try {
    if (usd !== null) return boundPoints(usd.readShape(), part);
    return document === null ? null : boundPoints(readGeometry(document, []), part);
  } catch (error) {
    if (error instanceof FormatError) return null;
    throw error;
  }
}

function refused(reason: string, issues: readonly Issue[]): Description {
  return { humanoid: null, reason, issues };
}

/** Bones whose node the other file does not name. */
function unmatchedBones(map: BoneMap, matched: Uint8Array): string[] {
  return BONES.filter((_, bone) => bone < BONE_COUNT && map.nodes[bone] >= 0 && matched[map.nodes[bone]] === 0);
}

/**
 * Describes a skeleton of a file. A file has one reference pose for all its clips, whichever are wanted, so that they fit
 * together: where it must be found with the help of a motion, that is the first of the file. Frames are those of the
 * first clip in `wanted`.
 */
export function describeBody(
  file: OpenFile,
  index: number,
  options: { readonly map?: BoneMap } & Pick<BodyOptions, 'pose' | 'explain'> = {},
  wanted: readonly AssetClip[] = file.asset.clips,
): Description {
  const part: AssetSkeleton = file.asset.skeletons[index];
  const { skeleton, declared } = part;
  const pose = options.pose ?? 'auto';
  const isFrame = typeof pose === 'object' && 'frame' in pose;
  const common: DescribeOptions = {
    declared,
    motion: motionOf(isFrame ? wanted : file.asset.clips, index),
    poses: posesOf(file.asset.clips, index),
    points: () => pointsOf(file, part),
    explain: options.explain ?? false,
    metersPerUnit: file.asset.metersPerUnit,
    up: file.asset.up,
    unitSource: SAYS_UNIT.includes(file.asset.format) ? 'file' : 'format',
    ...(options.map === undefined ? {} : { map: options.map }),
  };
  if (typeof pose !== 'object' || !('file' in pose)) return describeHumanoid(skeleton, { ...common, pose });
  const borrowed = poseOfFile(skeleton, pose.file);
  if (borrowed === null) {
    return refused(
      `the pose of ${pose.file.name} was asked for, but no node there has the name of one of its nodes`,
      [],
    );
  }
  const description = describeHumanoid(skeleton, {
    ...common,
    pose: pose.exact === true ? borrowed.pose : { start: borrowed.pose },
  });
  if (description.humanoid === null) return description;
  const unmatched = unmatchedBones(description.humanoid.map, borrowed.matched);
  if (unmatched.length === 0) return description;
  const message = `${pose.file.name} has no node for ${unmatched.join(', ')}: these bones of ${file.name} stand as they rest`;
  return { ...description, issues: [...description.issues, issue('POSE_PARTIAL', message)] };
}
