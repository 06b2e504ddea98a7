/** Contact sheets as SVG, in browsers and Node: `anyrig/preview`. */

export type { SheetSkeleton } from './cell.ts';
export { type CompareOptions, type CompareResult, compareFiles } from './compare/compare-files.ts';
export type { CompareColumn, ComparedClip, CompareReport } from './compare/compare-report.ts';
export type { CompareFigures } from './compare/figures.ts';
export { type DrawnSkeleton, drawnPositions, drawnReference, drawnSkeletons, type Face } from './drawn-skeleton.ts';
export type { JointName } from './joint-names.ts';
export { type ClipGroup, type FileClip, pairClips } from './pair-clips.ts';
export {
  type Preview,
  type PreviewOptions,
  type PreviewReport,
  type PreviewRowReport,
  previewFiles,
} from './preview-files.ts';
export { drawSheet, type SheetOptions, type SheetRow, type SheetView } from './sheet.ts';
export { clipRow, columnTimes, largeRow, type NameKind, namesRow, posesRow, type RowLabels } from './sheet-row.ts';
export { allPoses, distinctPoses, type PoseName, type SheetPose } from './skeleton-poses.ts';
export type { SkinPart } from './skin-parts.ts';
export type { DrawnSole, GroundPoint } from './soles.ts';
export type { HeadJoints, StickSkeleton } from './stick-figure.ts';
