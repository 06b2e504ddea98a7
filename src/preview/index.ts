/** Contact sheets as SVG, in browsers and Node: `anyrig/preview`. */
export { allPoses, type SkeletonPose, distinctPoses, type PoseName } from './skeleton-poses.ts';
export type { SheetSkeleton } from './cell.ts';
export { type DrawnSkeleton, drawnSkeletons, drawnPositions, drawnReference, type Face } from './drawn-skeleton.ts';
export { type ClipGroup, type FileClip, pairClips } from './pair-clips.ts';
export {
  type Preview,
  type PreviewOptions,
  type PreviewReport,
  type PreviewRowReport,
  previewFiles,
} from './preview-files.ts';
export { drawSheet, type JointName, type SheetOptions, type SheetRow, type SheetView } from './sheet.ts';
export { clipRow, columnTimes, largeRow, type NameKind, namesRow, posesRow, type RowLabels } from './sheet-row.ts';
export type { HeadJoints, StickSkeleton } from './stick-figure.ts';
