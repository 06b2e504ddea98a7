/**
 * The journal of an output folder: which results exist, with their keys and reports. One JSON object per line, appended. A line that a kill or a full disk has cut
 * off is not JSON, and is skipped, as is a line that no run has written: the output folder may come from elsewhere. Every process of a batch appends to a file of its own.
 */
import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OutputError } from '../../files/outputs/output-error.ts';
import { systemReason } from '../../files/reports/system-reason.ts';
import { kindOf, STATE_FOLDER } from '../check/result-path.ts';
import { resourceHash, resultFile, taskReport } from '../check/result-shapes.ts';
import { listOf, matching, objectOf, oneOf, type Shape, text } from '../check/shape.ts';
import type { ResourceHash, ResultFile, TaskReport } from './task-outcome.ts';

/** Written before the files of a result get their final names. */
export interface ReadyLine {
  /** Kind of line. */
  readonly state: 'ready';
  /** The task. */
  readonly id: string;
  /** Key of the result; see `taskKey`. */
  readonly key: string;
  /** Its files. */
  readonly files: readonly ResultFile[];
  /** Files that the inputs reference. */
  readonly resources: readonly ResourceHash[];
  /** For the report. */
  readonly report: TaskReport;
}

/** Written after all files of a result have their final names, or after they were removed. */
interface EndLine {
  readonly state: 'done' | 'removed';
  readonly id: string;
  readonly key: string;
}

type JournalLine = ReadyLine | EndLine;

export interface RecordedLine extends Omit<ReadyLine, 'report'> {
  /** For the report; null where it is not one of this version: then only the files are known. */
  readonly report: TaskReport | null;
}

export const recordedLine: Shape<RecordedLine> = objectOf<RecordedLine>({
  state: oneOf(['ready']),
  id: text,
  key: text,
  files: listOf(resultFile),
  resources: listOf(resourceHash),
  report: (value) => matching(taskReport, value),
});

const endLine: Shape<EndLine> = objectOf<EndLine>({ state: oneOf(['done', 'removed']), id: text, key: text });

/** What the journals of a folder say about a task. */
export interface TaskRecord {
  /** Results by key: of the same key the last one. */
  readonly results: Map<string, RecordedLine>;
  /** Keys of results whose files have their final names. */
  readonly done: Set<string>;
  /** Key of the last line. */
  lastKey: string;
  readonly journals: Set<string>;
}

const ENDING = '.journal.jsonl';
const NEWLINE = 10;

export interface LinePosition {
  readonly path: string;
  /** Offset of its first byte. */
  readonly from: number;
  /** Its bytes. */
  readonly length: number;
}

export interface Journal {
  /** Appends a line in one write. Throws what the system throws, such as for a full disk; the next line is still read correctly. */
  readonly append: (line: JournalLine) => LinePosition;
  readonly close: () => void;
}

/**
 * Checks that what is at a path of ours is no link and nothing else that leads out of the output folder. Throws OutputError for something else;
 * nothing is fine.
 */
export function checkOwn(path: string, kind: 'file' | 'folder'): void {
  const found = kindOf(path);
  if (found === null || found === kind) return;
  const what = found === 'other' ? 'a link or a device' : `a ${found}`;
  throw new OutputError('CANNOT_WRITE', path, `${path} is ${what}; expected a ${kind} of anyrig. Remove it`);
}

function endsWithinLine(file: number): boolean {
  const { size } = fstatSync(file);
  if (size === 0) return false;
  const last = new Uint8Array(1);
  readSync(file, last, 0, 1, size - 1);
  return last[0] !== NEWLINE;
}

/** Opens a journal of an output folder for appending; creates it if it is missing. Throws OutputError where the journal or its folder is a link. */
export function openJournal(folder: string, name: string): Journal {
  const path = join(folder, STATE_FOLDER, `${name}${ENDING}`);
  checkOwn(dirname(path), 'folder');
  mkdirSync(dirname(path), { recursive: true });
  checkOwn(path, 'file');
  const file = openSync(path, 'a+');
  let isTorn = endsWithinLine(file);
  let size = fstatSync(file).size;
  const append = (line: JournalLine): LinePosition => {
    const start = isTorn ? '\n' : '';
    const bytes = Buffer.from(`${start}${JSON.stringify(line)}\n`);
    isTorn = true;
    for (let done = 0; done < bytes.length; ) {
      const written = writeSync(file, bytes, done);
      done += written;
      size += written;
    }
    isTorn = false;
    return { path, from: size - bytes.length + start.length, length: bytes.length - start.length };
  };
  return { append, close: () => closeSync(file) };
}

/**
 * Reads a line of a journal again: a run over many tasks does not keep all of them in memory. Throws what the system throws when the journal is
 * gone.
 */
export function readReadyLine({ path, from, length }: LinePosition): ReadyLine {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(length);
    for (let done = 0; done < length; ) {
      const read = readSync(file, bytes, done, length - done, from + done);
      if (read === 0) throw new RangeError(`${path} ends at ${from + done} bytes; expected a line of ${length}`);
      done += read;
    }
    const line = parseLine(bytes);
    if (line?.state !== 'ready' || line.report === null)
      throw new RangeError(`${path} was changed at ${from} bytes; expected the line of a result`);
    return { ...line, report: line.report };
  } finally {
    closeSync(file);
  }
}

/** Parses a line; null for one that was cut off, or that no run has written. */
function parseLine(bytes: Buffer): RecordedLine | EndLine | null {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return matching(recordedLine, value) ?? matching(endLine, value);
  } catch {
    return null;
  }
}

function addLine(records: Map<string, TaskRecord>, line: RecordedLine | EndLine, journal: string): void {
  const { id, key } = line;
  const record = records.get(id) ?? { results: new Map(), done: new Set(), lastKey: key, journals: new Set() };
  records.set(id, record);
  record.journals.add(journal);
  record.lastKey = key;
  if (line.state === 'ready') {
    record.results.set(key, line);
    record.done.delete(key);
  } else if (line.state === 'done') record.done.add(key);
  else {
    record.results.delete(key);
    record.done.delete(key);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readJournal(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new OutputError('CANNOT_WRITE', path, `${path} cannot be read: ${systemReason(error)}`);
  }
}

/** Reads all journals of an output folder. Links are not followed. Throws OutputError for a journal that cannot be read. */
export function readJournals(folder: string): Map<string, TaskRecord> {
  const records = new Map<string, TaskRecord>();
  const own = join(folder, STATE_FOLDER);
  if (kindOf(own) !== 'folder') return records;
  const names = namesIn(own).filter((name) => name.endsWith(ENDING) && kindOf(join(own, name)) === 'file');
  for (const name of names.sort()) {
    const bytes = readJournal(join(own, name));
    for (let from = 0; from < bytes.length; ) {
      const end = bytes.indexOf(NEWLINE, from);
      const line = parseLine(bytes.subarray(from, end < 0 ? bytes.length : end));
      if (line !== null) addLine(records, line, name);
      from = end < 0 ? bytes.length : end + 1;
    }
  }
  return records;
}
