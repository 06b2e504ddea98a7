/** The core: skeletons, clips, humanoids, and retargeting between them. It has no dependency and no I/O. */
export { changeSpeed } from './animation/change-speed.ts';
export type { Clip, Interpolation, Keys, Track, TrackPath } from './animation/clip.ts';
export { loopClip, type RootMotionNode } from './animation/loop-clip.ts';
export { mirrorClip } from './animation/mirror-clip.ts';
export { reduceKeys } from './animation/reduce-keys.ts';
export { resampleClip } from './animation/resample-clip.ts';
export { sampleClip } from './animation/sample.ts';
export { trimClip } from './animation/trim-clip.ts';
export type { Asset, AssetClip, AssetSkeleton, MorphTrack } from './asset/asset.ts';
export { changeAssetClipSpeed, trimAssetClip } from './asset/edit-asset-clip.ts';
export { BONE, BONE_PARENTS, BONES, type BoneName } from './humanoid/bones.ts';
export { type CanonicalRig, createCanonicalRig } from './humanoid/canonical-rig.ts';
export { type DescribeOptions, describeHumanoid, type HumanoidDescription } from './humanoid/describe-humanoid.ts';
export type {
  BoneAssignments,
  BoneChoice,
  BoneMap,
  DeclaredHumanoid,
  Humanoid,
  Limb,
  PartFinding,
  PosedPart,
  ReferenceKind,
  ReferencePose,
} from './humanoid/humanoid.ts';
export { fromHumanoidClip, type HumanoidClip, toHumanoidClip } from './humanoid/humanoid-clip.ts';
export { createBoneMap } from './humanoid/mapping/create-bone-map.ts';
export { type BoneMapping, type MapOptions, mapBones } from './humanoid/mapping/map-bones.ts';
export { mirrorHumanoid } from './humanoid/mirror-humanoid.ts';
export { createNormalizedHumanoid } from './humanoid/normalized-humanoid.ts';
export { findRootMotionNode } from './humanoid/root-motion-node.ts';
export type { BoundVertices } from './humanoid/t-pose/bound-vertices.ts';
export type { PoseChoice } from './humanoid/t-pose/find-reference-pose.ts';
export type { SideAngles } from './humanoid/t-pose/palm-and-heading.ts';
export type { UnitSource } from './humanoid/t-pose/unit.ts';
export { CODES, type IssueCode, type Severity } from './report/codes.ts';
export { FormatError, type SourceLocation } from './report/format-error.ts';
export type { Issue } from './report/issue.ts';
export { type ExtractPlan, extractClip, planExtract } from './retarget/extract-clip.ts';
export type { HipsScale, RetargetOptions } from './retarget/options.ts';
export { planRetarget } from './retarget/plan-retarget.ts';
export type {
  ConstantChannel,
  DetachedJointPlan,
  HipsPlan,
  RetargetPlan,
  ScalePlan,
  TranslationPlan,
  TwistPlan,
} from './retarget/plan-types.ts';
export { type ClipOptions, retargetClip } from './retarget/retarget-clip.ts';
export { retargetPose } from './retarget/retarget-pose.ts';
export { createJointMapper, type JointMapper, mapJoints } from './skeleton/joint-mapper.ts';
export { restPose } from './skeleton/pose.ts';
export { POSE_STRIDE, type Skeleton } from './skeleton/skeleton.ts';
