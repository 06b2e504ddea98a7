/**
 * The journal of an output folder: which results exist, with their keys and reports. One JSON object per line, appended. A line that a kill or a full disk has cut
 * off is not JSON, and is skipped. Every process of a batch appends to a file of its own.
 */
import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
export interface EndLine {
  /** Kind of line. */
  readonly state: 'done' | 'removed';
  /** The task. */
  readonly id: string;
  /** Key of the result. */
  readonly key: string;
}

/** A line of a journal. */
export type JournalLine = ReadyLine | EndLine;

/** What the journals of a folder say about a task. */
export interface TaskRecord {
  /** Results by key: of the same key the last one. */
  readonly results: Map<string, ReadyLine>;
  /** Keys of results whose files have their final names. */
  readonly done: Set<string>;
  /** Key of the last line. */
  lastKey: string;
  /** Names of the journals that mention the task. */
  readonly journals: Set<string>;
}

/** Folder of journals, temporary files and reports of shards, below the output folder. */
export const STATE_FOLDER = '.anyrig';
const ENDING = '.journal.jsonl';
const NEWLINE = 10;

/** Where a line is in its journal. */
export interface LinePosition {
  /** Path of the journal. */
  readonly path: string;
  /** Offset of its first byte. */
  readonly from: number;
  /** Its bytes. */
  readonly length: number;
}

/** A journal that is open for appending. */
export interface Journal {
  /**
   * Appends a line in one write.
   *
   * @param line The line.
   * @returns Where it is.
   * @throws What the system throws, such as for a full disk; the next line is still read correctly.
   */
  readonly append: (line: JournalLine) => LinePosition;
  /** Closes the file. */
  readonly close: () => void;
}

/** Whether a file ends within a line. */
function endsWithinLine(file: number): boolean {
  const { size } = fstatSync(file);
  if (size === 0) return false;
  const last = new Uint8Array(1);
  readSync(file, last, 0, 1, size - 1);
  return last[0] !== NEWLINE;
}

/**
 * Opens a journal of an output folder for appending; creates it if it is missing.
 *
 * @param folder The output folder.
 * @param name Name of the journal, different for processes that run at the same time.
 * @returns The journal.
 */
export function openJournal(folder: string, name: string): Journal {
  const path = join(folder, STATE_FOLDER, `${name}${ENDING}`);
  mkdirSync(dirname(path), { recursive: true });
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
 * Reads a line of a journal again: a run over many tasks does not keep all of them in memory.
 *
 * @param position Where it is.
 * @returns The line.
 * @throws What the system throws when the journal is gone.
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
    return JSON.parse(bytes.toString('utf8')) as ReadyLine;
  } finally {
    closeSync(file);
  }
}

/** Parses a line; null for one that was cut off. */
function parseLine(text: string): JournalLine | null {
  if (text === '') return null;
  try {
    const line = JSON.parse(text) as Partial<JournalLine>;
    return typeof line.id === 'string' && typeof line.key === 'string' ? (line as JournalLine) : null;
  } catch {
    return null;
  }
}

function addLine(records: Map<string, TaskRecord>, line: JournalLine, journal: string): void {
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

/**
 * Reads all journals of an output folder.
 *
 * @param folder The output folder.
 * @returns What they say, by task; empty for a new folder.
 */
export function readJournals(folder: string): Map<string, TaskRecord> {
  const records = new Map<string, TaskRecord>();
  let names: string[] = [];
  try {
    names = readdirSync(join(folder, STATE_FOLDER)).filter((name) => name.endsWith(ENDING));
  } catch {
    return records;
  }
  for (const name of names.sort()) {
    const bytes = readFileSync(join(folder, STATE_FOLDER, name));
    for (let from = 0; from < bytes.length; ) {
      const end = bytes.indexOf(NEWLINE, from);
      const line = parseLine(bytes.toString('utf8', from, end < 0 ? bytes.length : end));
      if (line !== null) addLine(records, line, name);
      from = end < 0 ? bytes.length : end + 1;
    }
  }
  return records;
}
