/** Shapes of results: what journals, records in storage, reports and workers say about them. */
import type { Level } from '../../core/measure/verdict.ts';
import type { Severity } from '../../core/report/codes.ts';
import type { SourceLocation } from '../../core/report/format-error.ts';
import type { Issue } from '../../core/report/issue.ts';
import type {
  PairFigures,
  ResourceHash,
  ResultFile,
  TaskClip,
  TaskFailure,
  TaskReport,
  TaskStrips,
} from '../run/task-outcome.ts';
import { isResultPath } from './result-path.ts';
import {
  count,
  figure,
  flag,
  listOf,
  objectOf,
  oneOf,
  optional,
  orNull,
  type Shape,
  text,
  textLike,
  valueThat,
} from './shape.ts';

export const resultFile: Shape<ResultFile> = objectOf<ResultFile>({
  path: valueThat(
    (value) => typeof value === 'string' && isResultPath(value),
    'a path below the output folder, of names without "..", and not in .anyrig',
  ),
  bytes: count,
  sha256: text,
});

/** A file that an input references. Its path is checked where it would be read. */
export const resourceHash: Shape<ResourceHash> = objectOf<ResourceHash>({ path: text, sha256: text });

const figures: Shape<PairFigures> = objectOf<PairFigures>({
  level: oneOf<Level>(['good', 'look', 'wrong']),
  findings: listOf(text),
  errorScore: figure,
  errorMean: figure,
  errorMax: figure,
  changedMean: figure,
  movedMost: figure,
  slide: figure,
  slideOfSource: figure,
  below: figure,
  above: figure,
});

const base64 = textLike(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'base64');

const issue: Shape<Issue> = objectOf<Issue>({
  // Another version may know more codes.
  code: text as Shape<Issue['code']>,
  severity: oneOf<Severity>(['fatal', 'error', 'warning', 'info']),
  message: text,
  where: objectOf<SourceLocation>({
    pointer: optional(text),
    offset: optional(count),
    line: optional(count),
    column: optional(count),
    resource: optional(text),
  }),
});

export const REPORT_FIELDS = {
  clips: listOf(objectOf<TaskClip>({ name: text, duration: figure, motion: text })),
  figures: orNull(figures),
  strips: listOf(objectOf<TaskStrips>({ clip: text, source: base64, target: base64 })),
  issues: listOf(issue),
} as const;

export const taskReport: Shape<TaskReport> = objectOf<TaskReport>(REPORT_FIELDS);

export const taskFailure: Shape<TaskFailure> = objectOf<TaskFailure>({
  code: text,
  message: text,
  isFatal: optional(flag),
  isTemporary: optional(flag),
});
