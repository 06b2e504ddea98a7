/** Files of the demo as bytes and opened; each is created once. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { demoFiles } from '../../../src/demo/index.ts';
import { type OpenFile, openBytes } from '../../../src/files/open.ts';

const made = new Map<string, Uint8Array>();

/** Returns the bytes of a file of the demo: `walk.glb`, `wave.vrma`, `turn.bvh`, `mixamo.glb`, `child.vrm` … */
export function demoBytes(name: string): Uint8Array {
  const file = demoFiles().find((one) => one.name === name);
  if (file === undefined) throw new Error(`the demo has no ${name}`);
  const bytes = made.get(name) ?? file.bytes();
  made.set(name, bytes);
  return bytes;
}

const opened = new Map<string, Promise<OpenFile>>();

/** Opens a file of the demo, once for all tests of a process, with what jobs find out about it. A test that changes it opens `demoBytes` itself. */
export function openDemo(name: string): Promise<OpenFile> {
  const file = opened.get(name) ?? openBytes(demoBytes(name), { name });
  opened.set(name, file);
  return file;
}

/** Creates a temporary folder for a test file, removed at its end. Returns a function for paths below it. */
export function temporaryFolder(): (...parts: string[]) => string {
  const folder = mkdtempSync(join(tmpdir(), 'anyrig-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return (...parts) => join(folder, ...parts);
}

/** Writes a file of the demo to a folder and returns its path. */
export function writeDemo(path: (...parts: string[]) => string, name: string, as: string = name): string {
  writeFileSync(path(as), demoBytes(name));
  return path(as);
}
