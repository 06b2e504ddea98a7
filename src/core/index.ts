/** The core: skeletons, clips, humanoids, retargeting between them, and contacts. It has no dependency and no I/O. */

// Map a rig

export { BONE, BONES, type BoneName, REQUIRED_BONES } from './humanoid/bones.ts';
export type { BoneAssignments, BoneMap } from './humanoid/humanoid.ts';
export { createBoneMap } from './humanoid/mapping/create-bone-map.ts';
export { listConventionMaps } from './humanoid/mapping/list-convention-maps.ts';
export { mapBones } from './humanoid/mapping/map-bones.ts';

// Describe a humanoid

export { type DescribeOptions, describeHumanoid, type HumanoidDescription } from './humanoid/describe-humanoid.ts';
export type { Humanoid } from './humanoid/humanoid.ts';
export { mirrorHumanoid } from './humanoid/mirror-humanoid.ts';
export { createNormalizedHumanoid } from './humanoid/normalized-humanoid.ts';
export type { IssueCode } from './report/codes.ts';
export { FormatError } from './report/format-error.ts';
export type { Issue } from './report/issue.ts';

// Retarget

export type { HumanoidClip } from './humanoid/humanoid-clip.ts';
export { extractClip, planExtract } from './retarget/extract-clip.ts';
export type { RetargetOptions } from './retarget/options.ts';
export { planRetarget } from './retarget/plan-retarget.ts';
export type { RetargetPlan } from './retarget/plan-types.ts';
export { type ClipOptions, retargetClip } from './retarget/retarget-clip.ts';
export { retargetPose } from './retarget/retarget-pose.ts';

// Keep contacts

export { collectSkinPoints } from './asset/collect-skin-points.ts';
export { createSourceSamples } from './contacts/frames/source-samples.ts';
export { createLiveContacts, type LiveContacts, type LiveGround } from './contacts/live/live-contacts.ts';
export { applyContacts } from './contacts/plan/apply-contacts.ts';
export type { ContactOptions, ContactPlan, ContactReport } from './contacts/plan/contact-plan.ts';
export { planContacts } from './contacts/plan/plan-contacts.ts';
export { type ContactSurface, describeContactSurface } from './contacts/surface/contact-surface.ts';
export { mirrorSkinPoints, type SkinPoints } from './deform/skin-points.ts';

// Move root motion

export { findRootMotionNode } from './humanoid/root-motion-node.ts';
export { findRootMotion } from './root-motion/find-root-motion.ts';
export { moveRootMotion } from './root-motion/move-root-motion.ts';
export { findRootBone } from './root-motion/root-bone.ts';
export { measureRootSpeed } from './root-motion/root-speed.ts';
export { transferRootMotion } from './root-motion/transfer-root-motion.ts';

// Edit clips and poses

export { changeSpeed } from './animation/change-speed.ts';
export type { Clip, Track } from './animation/clip.ts';
export { loopClip } from './animation/loop-clip.ts';
export { mirrorClip } from './animation/mirror-clip.ts';
export { reduceKeys } from './animation/reduce-keys.ts';
export { resampleClip } from './animation/resample-clip.ts';
export { sampleClip } from './animation/sample.ts';
export { trimClip } from './animation/trim-clip.ts';
export type { Asset, AssetClip, AssetSkeleton } from './asset/asset.ts';
export type { Geometry } from './asset/geometry.ts';
export { localToModelMatrices, restPose } from './skeleton/pose.ts';
export { MATRIX_STRIDE, POSE_STRIDE, type Skeleton } from './skeleton/skeleton.ts';
