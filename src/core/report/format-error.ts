import type { IssueCode } from './codes.ts';

/** A location in a file. Every member is optional. */
export interface SourceLocation {
  /** JSON pointer in a glTF document, or path of a USD prim. */
  readonly pointer?: string;
  /** Byte offset from the start of the file. */
  readonly offset?: number;
  /** Line, counted from 1. */
  readonly line?: number;
  /** Column, counted from 1. */
  readonly column?: number;
  /** URI or path of the file or resource (buffer, image) that contains the location, when it is not the opened file. */
  readonly resource?: string;
}

/** Formats a location for messages: `line 12, column 3`, `/nodes/4`, `byte 120`. */
export function formatLocation(where: SourceLocation): string {
  const parts: string[] = [];
  if (where.resource !== undefined) parts.push(where.resource);
  if (where.pointer !== undefined) parts.push(where.pointer === '' ? 'document root' : where.pointer);
  if (where.line !== undefined) parts.push(`line ${where.line}`);
  if (where.column !== undefined) parts.push(`column ${where.column}`);
  if (where.offset !== undefined) parts.push(`byte ${where.offset}`);
  return parts.join(', ');
}

/** The error for a file that cannot be read or written. The message states what was found, what was expected and what to do. */
export class FormatError extends Error {
  /** Name of the class. */
  override readonly name = 'FormatError';

  /** Permanent code from the table `CODES`. */
  readonly code: IssueCode;
  /** Location of the fault. */
  readonly where: SourceLocation;

  /**
   * @param code Permanent code, one of severity `fatal`.
   * @param message What was found, what was expected and what to do.
   * @param where Location of the fault.
   */
  constructor(code: IssueCode, message: string, where: SourceLocation = {}) {
    super(message);
    this.code = code;
    this.where = where;
  }
}
