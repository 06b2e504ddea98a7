import type { IssueCode } from './codes.ts';

/** Where in a file something was found. Any part may be missing. */
export interface Place {
  /** JSON pointer into a glTF document. */
  readonly pointer?: string;
  /** Byte offset from the start of the file. */
  readonly offset?: number;
  /** Line, counted from 1. */
  readonly line?: number;
  /** Column, counted from 1. */
  readonly column?: number;
  /** The resource (buffer, image) or file the place is in, when it is not the file that was opened. */
  readonly resource?: string;
}

/** Prints a place for people: `line 12, column 3`, `/nodes/4`, `byte 120`. Empty when nothing is known. */
export function printPlace(where: Place): string {
  const parts: string[] = [];
  if (where.resource !== undefined) parts.push(where.resource);
  if (where.pointer !== undefined) parts.push(where.pointer === '' ? 'document root' : where.pointer);
  if (where.line !== undefined) parts.push(`line ${where.line}`);
  if (where.column !== undefined) parts.push(`column ${where.column}`);
  if (where.offset !== undefined) parts.push(`byte ${where.offset}`);
  return parts.join(', ');
}

/** A file that cannot be read. `code` is permanent; `where` says the place; the message says what is and what was expected. */
export class FormatError extends Error {
  override readonly name = 'FormatError';

  /** Also of another copy of this class: programs may hold several, of bundles that were made apart. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'FormatError';
  }

  readonly code: IssueCode;
  readonly where: Place;

  constructor(code: IssueCode, message: string, where: Place = {}) {
    super(message);
    this.code = code;
    this.where = where;
  }
}
