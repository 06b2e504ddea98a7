/** What `anyrig/files` exports in browsers and in Node alike: files of all supported formats, and whole jobs on them. */
export { REQUIRED_BONES } from '../core/humanoid/bones.ts';
export { listConventionMaps } from '../core/humanoid/mapping/list-convention-maps.ts';
export { type ModelPose, toModelPose } from '../core/humanoid/t-pose/model-pose.ts';
export type { FileGeometry } from './adapters/format-adapter.ts';
export { loadDracoDecoder } from './adapters/gltf/draco-decoder.ts';
export type { FileFormat } from './adapters/signatures.ts';
export { type OpenedUsdStage, type OpenUsdOptions, openUsdStage } from './adapters/usd/open-stage.ts';
export type { UsdSource } from './adapters/usd/usd-source.ts';
export type { ChosenClip } from './clips/choose-clips.ts';
export type { ClipEdits } from './clips/clip-edits.ts';
export { stemOf } from './clips/clip-names.ts';
export { detectFormat } from './detect.ts';
export { geometryOf } from './geometry.ts';
export { type BoneMapFile, createBoneMapFile, parseBoneMap, serializeBoneMap } from './humanoid/bone-map-file.ts';
export { describeFileHumanoid, type HumanoidOptions, type PoseOption } from './humanoid/describe-file-humanoid.ts';
export {
  chooseHumanoid,
  type FoundHumanoid,
  findHumanoid,
  type HumanoidChoice,
  type HumanoidRole,
  tryFindHumanoid,
} from './humanoid/find-humanoid.ts';
export { type ConvertOptions, type ConvertResult, convertFile } from './jobs/convert-file.ts';
export { type ConvertToVrmOptions, convertToVrm } from './jobs/convert-to-vrm.ts';
export { type DefineOptions, type DefineReport, type DefineResult, defineHumanoid } from './jobs/define-humanoid.ts';
export { type ExtractMotionsOptions, type ExtractMotionsResult, extractMotions } from './jobs/extract-motions.ts';
export {
  type FileClipReport,
  type FileReport,
  type InspectOptions,
  inspectFile,
  type SkeletonReport,
} from './jobs/inspect-file.ts';
export { type InspectUsdSkelOptions, inspectUsdSkel } from './jobs/inspect-usd-skel.ts';
export type { JobControl, JobProgress } from './jobs/job-control.ts';
export { type FileMapping, mapFile } from './jobs/map-file.ts';
export {
  type RetargetClipsOptions,
  type RetargetedClip,
  type RetargetedClips,
  retargetClips,
} from './jobs/retarget-clips.ts';
export { type RetargetMotionsOptions, type RetargetMotionsResult, retargetMotions } from './jobs/retarget-motions.ts';
export type { JobRun, MotionInput } from './jobs/run-motions.ts';
export { type ValidateFileOptions, type ValidationReport, validateFile } from './jobs/validate-file.ts';
export { openBytes } from './open.ts';
export type { BvhFile, FbxFile, GltfFile, OpenFile, OpenOptions, UsdFile } from './open-file.ts';
export { OptionError } from './option-error.ts';
export {
  jobOptionsOf,
  MOTION_DEFAULTS,
  MOTION_OPTIONS,
  type MotionJobOptions,
  type MotionOptions,
  optionArguments,
} from './options/motion-options.ts';
export { toFileName } from './outputs/file-names.ts';
export { OutputError, type OutputErrorCode } from './outputs/output-error.ts';
export type { OutputFile } from './outputs/output-file.ts';
export { type OutputFormat, type OutputKeys, outputFormat } from './outputs/output-format.ts';
export { type GltfDestination, type SerializedOutput, serializeOutput } from './outputs/serialize-output.ts';
export {
  type BoneReport,
  type DirectionReport,
  type HumanoidReport,
  type Quaternion,
  type ReferencePoseReport,
  type RunnerUp,
  reportHumanoid,
  type Vector,
} from './reports/humanoid-report.ts';
export type {
  ClipReport,
  ConvertReport,
  ExtractReport,
  FileHumanoidReport,
  NoHumanoidReport,
  RetargetReport,
} from './reports/job-reports.ts';
export type { NodeReport } from './reports/node-report.ts';
export type { RadiiReport, SoleReport, SolesReport } from './reports/surface-report.ts';
