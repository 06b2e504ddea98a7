import type { Clip } from '../../core/animation/clip.ts';
import type { Asset, AssetClip, AssetSkeleton } from '../../core/asset/asset.ts';
import { collectBoundVertices } from '../../core/asset/collect-bound-vertices.ts';
import { BONE, BONE_COUNT, BONES } from '../../core/humanoid/bones.ts';
import {
  type DescribeOptions,
  describeHumanoid,
  type HumanoidDescription,
} from '../../core/humanoid/describe-humanoid.ts';
import type { BoneAssignments, BoneMap, Humanoid } from '../../core/humanoid/humanoid.ts';
import { mapBones } from '../../core/humanoid/mapping/map-bones.ts';
import { splitPeople } from '../../core/humanoid/mapping/split-people.ts';
import type { BoundVertices } from '../../core/humanoid/t-pose/bound-vertices.ts';
import type { PoseChoice } from '../../core/humanoid/t-pose/find-reference-pose.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import type { Skeleton } from '../../core/skeleton/skeleton.ts';
import { commonAncestor, isAncestor } from '../../core/skeleton/topology.ts';
import { readVertices } from '../geometry.ts';
import type { OpenFile } from '../open-file.ts';

import { poseFromFile } from './pose-from-file.ts';

/**
 * Which pose becomes the reference pose. With `file`, it is the pose of another file, matched by node names: the start pose of the estimator, or
 * with `exact` the reference pose as it is.
 */
export type PoseOption =
  | PoseChoice
  | {
      /** The file with the pose. */
      readonly file: OpenFile;
      /** Whether its reference pose is used as it is; false by default. */
      readonly exact?: boolean;
    };

/** Formats that store their unit in a field, which exporters often get wrong, or whose unit is a convention. */
const FORMATS_WITH_UNIT_FIELD: readonly Asset['format'][] = ['fbx', 'usd', 'mmd'];

/** What the caller knows about a humanoid; everything is optional. */
export interface HumanoidOptions {
  /** Name or index of the skeleton; required when several are humanoid. */
  readonly skeleton?: string | number;
  /** Nodes of bones, by name or by index in the file. They are trusted, even where the skeleton does not look humanoid. */
  readonly map?: BoneAssignments;
  /** Which pose becomes the reference pose; `auto` by default. */
  readonly pose?: PoseOption;
  /** Whether the bone map explains every match, which takes some milliseconds; false by default. */
  readonly explain?: boolean;
}

function firstMotion(clips: readonly AssetClip[], skeleton: number): Clip | null {
  const motion = clips[0]?.clips[skeleton];
  return motion === undefined || motion.tracks.length === 0 ? null : motion;
}

/** Matches names of clips that hold a single pose: `T-Pose`, `A_TPose`, `Bind Pose`. */
const POSE_NAME = /(^|[^a-z])([tai]|rest|bind|reference)[-_ ]?pose([^a-z]|$)/i;

function poseClips(clips: readonly AssetClip[], skeleton: number): Clip[] {
  const named = clips.filter(({ name }) => POSE_NAME.test(name)).map((clip) => clip.clips[skeleton]);
  return named.filter((clip) => clip !== undefined && clip.tracks.length > 0);
}

/**
 * Maps the bones of a motion of MMD. Its trunk hangs on the center, and beside it the pelvis (下半身) with the legs, which sways in dances: that is
 * what the hips of other characters follow. The center is the hips of a model that motions are put on, because there it carries the trunk. Returns
 * the map; null where pelvis and center are the same, and for another skeleton.
 */
function mapMmdMotion(skeleton: Skeleton, motion: Clip, explain: boolean): BoneMap | null {
  const { map } = mapBones(skeleton, { motion, explain });
  const nodeOf = (bone: number): number => map.nodes[bone];
  const [hips, left, right] = [BONE.hips, BONE.leftUpperLeg, BONE.rightUpperLeg].map(nodeOf);
  if (Math.min(hips, left, right, nodeOf(BONE.head)) < 0) return null;
  const pelvis = commonAncestor(skeleton.parents, left, right);
  if (!isAncestor(skeleton.parents, hips, pelvis) || isAncestor(skeleton.parents, pelvis, nodeOf(BONE.head)))
    return null;
  const nodes = map.nodes.slice();
  nodes[BONE.hips] = pelvis;
  return { ...map, nodes };
}

/** Reads the vertices that move with a skeleton. Null without readable vertices; then only the joints are used. */
function readBoundVertices(file: OpenFile, part: AssetSkeleton): BoundVertices | null {
  const geometry = readVertices(file);
  return geometry === null ? null : collectBoundVertices(geometry, part);
}

/** Lists the bones whose node has no namesake in the other file. */
function unmatchedBones(map: BoneMap, matched: Uint8Array): string[] {
  return BONES.filter((_, bone) => bone < BONE_COUNT && map.nodes[bone] >= 0 && matched[map.nodes[bone]] === 0);
}

/** Skeletons of a file that are examined where none is selected. Each takes some milliseconds, and crowds of real files have tens. */
const MOST_EXAMINED = 200;

/** Describes the skeletons of a file, except for those beyond the first 200: they can be selected. */
export function describeSkeletons(
  { asset: { skeletons } }: OpenFile,
  describe: (index: number) => HumanoidDescription,
): HumanoidDescription[] {
  const reason = `it was not examined: the file has ${skeletons.length} skeletons, of which the first ${MOST_EXAMINED} are; select it by name or index`;
  return skeletons.map((_, index) =>
    index < MOST_EXAMINED ? describe(index) : { humanoid: null, reason, issues: [] },
  );
}

function describePart(
  file: OpenFile,
  index: number,
  options: { readonly map?: BoneMap } & Pick<HumanoidOptions, 'pose' | 'explain'>,
  wanted: readonly AssetClip[],
): HumanoidDescription {
  const part: AssetSkeleton = file.asset.skeletons[index];
  const { skeleton, declared, zeroPose } = part;
  const pose = options.pose ?? 'auto';
  const explain = options.explain ?? false;
  const motion = file.format === 'mmd' && options.map === undefined ? firstMotion(file.asset.clips, index) : null;
  const map = options.map ?? (motion === null ? null : mapMmdMotion(skeleton, motion, explain));
  const isFrame = typeof pose === 'object' && 'frame' in pose;
  const common: DescribeOptions = {
    declared,
    motion: firstMotion(isFrame ? wanted : file.asset.clips, index),
    poses: poseClips(file.asset.clips, index),
    ...(zeroPose === undefined ? {} : { zeroPose }),
    vertices: () => readBoundVertices(file, part),
    explain,
    metersPerUnit: file.asset.metersPerUnit,
    up: file.asset.up,
    unitSource: FORMATS_WITH_UNIT_FIELD.includes(file.asset.format) ? 'file' : 'format',
    ...(map === null ? {} : { map }),
  };
  if (typeof pose !== 'object' || !('file' in pose)) return describeHumanoid(skeleton, { ...common, pose });
  const transferred = poseFromFile(skeleton, pose.file, common.motion ?? null);
  if (transferred === null) {
    const reason = `${pose.file.name}, which should supply the pose, has no node with the name of one of its nodes`;
    return { humanoid: null, reason, issues: [] };
  }
  const description = describeHumanoid(skeleton, {
    ...common,
    pose: pose.exact === true ? transferred.pose : { start: transferred.pose },
  });
  if (description.humanoid === null) return description;
  const unmatched = unmatchedBones(description.humanoid.map, transferred.matched);
  if (unmatched.length === 0) return description;
  const message = `${pose.file.name} has no nodes for the bones ${unmatched.join(', ')}; they keep their rest pose in ${file.name}`;
  return { ...description, issues: [...description.issues, issue('POSE_PARTIAL', message)] };
}

/** Formats that are read as one skeleton where people are below one node. */
const UNSPLIT: readonly Asset['format'][] = ['bvh', 'usd'];

/** Reports the people of a skeleton beside the one that is its humanoid. */
function reportLeftOut({ name, asset }: OpenFile, { skeleton }: AssetSkeleton, { map }: Humanoid): Issue[] {
  if (!UNSPLIT.includes(asset.format)) return [];
  const others = splitPeople(skeleton).filter(({ nodes }) => !nodes.includes(map.nodes[BONE.hips]));
  if (others.length === 0) return [];
  const hips = others.map(({ top }) => JSON.stringify(skeleton.names[top])).join(', ');
  const message =
    `${name} has ${others.length + 1} people in one skeleton, and that of ${JSON.stringify(skeleton.names[map.nodes[BONE.hips]])} was used. ` +
    `Export those of ${hips} to files of their own, or supply a bone map with their nodes.`;
  return [issue('PEOPLE_LEFT_OUT', message)];
}

/**
 * Describes a skeleton of a file as a humanoid. All clips of a file share one reference pose, so that they fit together: where a motion is needed to
 * find it, the first clip of the file is used. `options`: a user-supplied bone map and pose, and whether to explain the map. `wanted`: clips whose first
 * one a `frame` of the pose option refers to; by default those of the file. Returns the humanoid, or the reason why the skeleton is not humanoid.
 */
export function describeFileHumanoid(
  file: OpenFile,
  index: number,
  options: { readonly map?: BoneMap } & Pick<HumanoidOptions, 'pose' | 'explain'> = {},
  wanted: readonly AssetClip[] = file.asset.clips,
): HumanoidDescription {
  const description = describePart(file, index, options, wanted);
  const part = file.asset.skeletons[index];
  if (description.humanoid === null || options.map !== undefined) return description;
  return { ...description, issues: [...description.issues, ...reportLeftOut(file, part, description.humanoid)] };
}
