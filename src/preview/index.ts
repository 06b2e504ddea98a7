/** Contact sheets as SVG, in browsers and Node: `anyrig/preview`. */
export { allPoses, type BodyPose, bodyPoses, type PoseName } from './body-poses.ts';
export type { SheetBody } from './cell.ts';
export { type DrawnBody, drawnBodies, drawnPositions, drawnReference, type Face } from './drawn-body.ts';
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
export type { HeadJoints, StickBody } from './stick-figure.ts';
