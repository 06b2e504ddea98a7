/** Runs Blender on written files. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Output, Positions } from './outputs.ts';

/** Whether Blender is installed: `describe.skipIf(!HAS_BLENDER)`. */
export const HAS_BLENDER: boolean = spawnSync('blender', ['--version']).status === 0;

/** What Blender made of a file. */
export interface Imported {
  readonly armatures: number;
  readonly empties: number;
  readonly actions: readonly string[];
  /** Names of the actions that play. */
  readonly active: readonly string[];
  /** Positions of the bones at the times of the output. */
  readonly positions: readonly Positions[];
}

/** Imports files into one Blender. */
export function importInBlender(outputs: readonly Output[], folder: string): Imported[] {
  const jobs = join(folder, 'blender-jobs.json');
  writeFileSync(jobs, JSON.stringify(outputs.map(({ path, times }) => ({ path, times }))));
  const script = join(import.meta.dirname, 'blender.py');
  const args = ['--background', '--factory-startup', '--python-exit-code', '1', '--python', script, '--', jobs];
  const { stdout, stderr, status } = spawnSync('blender', args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  const result = stdout.split('\n').find((line) => line.startsWith('RESULT '));
  if (result === undefined) throw new Error(`Blender ended with ${status}: ${stderr}\n${stdout.slice(-2000)}`);
  const found = JSON.parse(result.slice('RESULT '.length)) as (Omit<Imported, 'positions'> & {
    positions: Record<string, number[]>[];
  })[];
  return found.map((one, k) => {
    const positions = one.positions.map((at) => {
      const scaled = Object.entries(at).map(([name, point]) => [name, point.map((value) => value * outputs[k].unit)]);
      return new Map(scaled as [string, number[]][]);
    });
    return { ...one, positions };
  });
}
