/** Faults that the fuzzer found, kept in a file: one line of JSON each, so that they survive the process that found them. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Fault } from './find-fault.ts';

/** A fault and the file that shows it. */
export interface Finding {
  /** Index of the file: the seed of the run and this number make it again. */
  readonly index: number;
  readonly fault: Fault;
}

/**
 * Adds a finding to a file.
 *
 * @param path The file.
 * @param finding What was found.
 */
export function addFinding(path: string, finding: Finding): void {
  appendFileSync(path, `${JSON.stringify(finding)}\n`);
}

/**
 * Reads the findings of a file.
 *
 * @param path The file.
 * @returns The findings; none if there is no file.
 */
export function readFindings(path: string): Finding[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').trimEnd();
  return lines.split('\n').map((line) => JSON.parse(line) as Finding);
}
