/** Files of any format that is read, and whole jobs on them, in browsers and Node: `anyrig/files`. */
export { type BoneMapFile, boneMapFile, parseBoneMap, printBoneMap } from './bone-map-file.ts';
export { type Body, type BodyChoice, chooseBody, type Role } from './choose-body.ts';
export type { ChosenClip } from './choose-clips.ts';
export type { ClipEdits } from './clip-edits.ts';
export type { ConvertClipsOptions } from './convert-clips.ts';
export { type ConvertOptions, type ConvertResult, convertFile } from './convert-file.ts';
export { type DefineOptions, type DefineReport, type DefineResult, defineHumanoid } from './define-humanoid.ts';
export { type BodyOptions, describeBody, type PoseOption } from './describe-body.ts';
export { detectFormat, type FileFormat } from './detect.ts';
export { loadDracoDecoder } from './draco-decoder.ts';
export { type ExtractClipsOptions, type ExtractedClip, type ExtractedClips, extractClips } from './extract-clips.ts';
export { type ExtractMotionsOptions, type ExtractMotionsResult, extractMotions } from './extract-motions.ts';
export { type FileGeometry, geometryOf } from './geometry.ts';
export type {
  BoneReport,
  DirectionReport,
  HumanoidReport,
  Quaternion,
  ReferencePoseReport,
  RunnerUp,
  Vector,
} from './humanoid-report.ts';
export { type FileClipReport, type FileReport, inspectFile, type SkeletonReport } from './inspect-file.ts';
export { type InspectUsdSkelOptions, inspectUsdSkel } from './inspect-usd-skel.ts';
export type { KhronosMessage } from './khronos-report.ts';
export { type FileMapping, mapFile } from './map-file.ts';
export { type OpenFile, type OpenOptions, openBytes } from './open.ts';
export { type OpenUsdOptions, openUsdStage, type UsdFile } from './open-usd.ts';
export { OptionError } from './option-error.ts';
export type { OutputFile } from './output-file.ts';
export { type OutputFormat, outputFormat } from './output-format.ts';
export { type OutputPlace, printOutput } from './print-output.ts';
export {
  type RetargetClipsOptions,
  type RetargetedClip,
  type RetargetedClips,
  retargetClips,
} from './retarget-clips.ts';
export { type RetargetMotionsOptions, type RetargetMotionsResult, retargetMotions } from './retarget-motions.ts';
export type {
  BodyReport,
  ClipReport,
  ConvertReport,
  ExtractReport,
  NoBodyReport,
  RetargetReport,
} from './retarget-report.ts';
export { type ValidateFileOptions, type ValidationReport, validateFile } from './validate-file.ts';
