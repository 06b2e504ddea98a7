/** Contact sheets as SVG, and comparisons of motions with their results. Runs in browsers and Node. */

// Draw and compare motions

export { type CompareOptions, type CompareResult, compareFiles } from './compare/compare-files.ts';
export type { CompareReport } from './compare/compare-report.ts';
export { type DrawnSkeleton, drawnSkeletons } from './drawn-skeleton.ts';
export { type Preview, type PreviewOptions, previewFiles } from './preview-files.ts';
export { drawSheet, type SheetRow } from './sheet.ts';
export { clipRow } from './sheet-row.ts';
