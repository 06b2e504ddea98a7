/** Imports GLBs into Godot and plays them there, without a screen. */
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Output, Positions } from './outputs.ts';

/** Debian's `godot3-server` is the editor without a screen. */
export const HAS_GODOT: boolean = spawnSync('godot3-server', ['--version']).error === undefined;

/** It samples rotations at `fps` and drops keys by default; with more samples it is within the limits between keys. */
const PROJECT = `config_version=4
[application]
config/name="outputs"
[importer_defaults]
scene={ "animation/fps": 240.0, "animation/optimizer/enabled": false }
`;
const IMPORT_SECONDS = 120;
const PLAY_SECONDS = 60;

/** Godot writes names of bones in snake case and drops signs from names of nodes. */
function nameKey(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Returns the positions at the times of the outputs, each of which has one clip. */
export async function playInGodot(outputs: readonly Output[], folder: string): Promise<Positions[][]> {
  mkdirSync(folder);
  writeFileSync(join(folder, 'project.godot'), PROJECT);
  for (const [k, { path }] of outputs.entries()) copyFileSync(path, join(folder, `${k}.glb`));
  await importAll(folder, outputs.length);
  writeFileSync(
    join(folder, 'jobs.json'),
    JSON.stringify(outputs.map(({ times }, k) => ({ file: `${k}.glb`, times }))),
  );
  copyFileSync(join(import.meta.dirname, 'godot.gd'), join(folder, 'godot.gd'));
  const { stdout, stderr, error } = spawnSync('godot3-server', ['--path', folder, '--script', 'godot.gd'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: 1000 * PLAY_SECONDS,
  });
  const result = stdout.split('\n').find((line) => line.startsWith('RESULT '));
  if (result === undefined)
    throw new Error(`Godot gave no result: ${error?.message ?? ''}\n${stderr}\n${stdout.slice(-2000)}`);
  const found = JSON.parse(result.slice('RESULT '.length)) as Record<string, number[]>[][];
  return found.map((frames, k) => {
    const names = new Map([...outputs[k].at(0).keys()].map((name) => [nameKey(name), name]));
    return frames.map((frame) => {
      return new Map(Object.entries(frame).map(([name, point]) => [names.get(nameKey(name)) ?? name, point]));
    });
  });
}

/** The editor imports at its start; `--quit` does not end it, so that it is ended when it has tried all files. */
async function importAll(folder: string, count: number): Promise<void> {
  const editor = spawn('godot3-server', ['--path', folder, '--editor'], { stdio: 'ignore' });
  const ended = new Promise((resolve) => editor.once('close', resolve));
  const until = Date.now() + 1000 * IMPORT_SECONDS;
  const written = (extension: string): number => {
    try {
      return readdirSync(join(folder, '.import')).filter((name) => name.endsWith(extension)).length;
    } catch {
      return 0;
    }
  };
  const isRunning = (): boolean => editor.exitCode === null && editor.signalCode === null;
  // Each file gets an `.md5`, after its scene, also when it cannot be imported; only a scene shows that it was.
  while (written('.md5') < count && isRunning() && Date.now() < until) await sleep(200);
  editor.kill();
  await ended;
  const scenes = written('.scn');
  if (scenes < count) throw new Error(`Godot imported ${scenes} of ${count} files as scenes`);
}
