/** What `anyrig/files` exports in browsers and in Node alike: files of all supported formats, and whole jobs on them. */

// Open and write files

export { loadDracoDecoder } from './adapters/gltf/draco-decoder.ts';
export { geometryOf } from './geometry.ts';
export { openBytes } from './open.ts';
export type { OpenFile, OpenOptions } from './open-file.ts';
export { OptionError } from './option-error.ts';
export { OutputError } from './outputs/output-error.ts';
export type { OutputFile } from './outputs/output-file.ts';

// Map a rig

export { createBoneMapFile, parseBoneMap, serializeBoneMap } from './humanoid/bone-map-file.ts';
export { mapFile } from './jobs/map-file.ts';

// Describe a humanoid

export type { HumanoidOptions } from './humanoid/describe-file-humanoid.ts';
export { type FoundHumanoid, findHumanoid, tryFindHumanoid } from './humanoid/find-humanoid.ts';
export type { FileReport } from './jobs/describe-file.ts';
export { inspectFile } from './jobs/inspect-file.ts';
export { type HumanoidReport, reportHumanoid } from './reports/humanoid-report.ts';

// Retarget

export { retargetClips } from './jobs/retarget-clips.ts';
export { type RetargetMotionsOptions, type RetargetMotionsResult, retargetMotions } from './jobs/retarget-motions.ts';
export type { RetargetReport } from './reports/job-reports.ts';
export { createStandardRig } from './standard-rig.ts';

// Convert, define, extract and validate files

export { type ConvertOptions, type ConvertResult, convertFile } from './jobs/convert-file.ts';
export { convertToVrm } from './jobs/convert-to-vrm.ts';
export { type DefineOptions, type DefineReport, type DefineResult, defineHumanoid } from './jobs/define-humanoid.ts';
export { type ExtractMotionsOptions, type ExtractMotionsResult, extractMotions } from './jobs/extract-motions.ts';
export { type ValidationReport, validateFile } from './jobs/validate-file.ts';
