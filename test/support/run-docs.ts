/** Runs the code of README, docs and examples unchanged, on demo files. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';
import { runHere } from '../cli/run-here.ts';
import { bundledProgram } from './bundle.ts';
import { type CommandLine, DOCUMENT_FILES, inProject } from './documents.ts';
import { walkFbx } from './make/demo-fbx.ts';
import { demoBytes } from './make/demo-files.ts';
import { walkNpz } from './make/demo-npz.ts';
import { handshake, shakerKeypoints } from './make/handshake.ts';
import { danceVmd, pmxBytes } from './make/mmd-files.ts';
import { walkKeypoints, walkTrc } from './make/point-files.ts';
import { servePageFiles } from './page-files.ts';

const run = promisify(execFile);
const NODE = `node --conditions=@anyrig/source --import ${inProject('node_modules/tsx/dist/esm/index.mjs')}`;

let made: Readonly<Record<string, Uint8Array | string>> | null = null;

/** Makes the files that the docs use, by name, once for all pages. */
function exampleFiles(): Readonly<Record<string, Uint8Array | string>> {
  made ??= {
    ...Object.fromEntries(Object.entries(DOCUMENT_FILES).map(([name, from]) => [name, demoBytes(from)])),
    'walk.fbx': walkFbx(),
    'walk.npz': walkNpz(),
    'dance.vmd': danceVmd(),
    'dancer.pmx': pmxBytes(),
    'walk.trc': walkTrc(30),
    'walk-keypoints.json': walkKeypoints(30),
    'handshake.json': shakerKeypoints(handshake(1, 1)),
  };
  return made;
}

/** Creates a folder with the files that the docs use; removed at the end of the test file. */
export function exampleFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'anyrig-docs-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(exampleFiles())) writeFileSync(join(folder, name), content);
  return folder;
}

/** Splits a line of words, quotes, `*` and a comment like a shell in a folder; null for lines that need a real shell. */
function wordsOf(line: string, folder: string): string[] | null {
  const [command] = line.split(/\s#/);
  if (/[|&;<>$`\\?]/.test(command.replace(/"[^"$`\\]*"/g, ''))) return null;
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].flatMap(([, quoted, word]) => quoted ?? expanded(word, folder));
}

/** Returns the files of a folder that a word with `*` stands for, in order; another word itself. */
function expanded(word: string, folder: string): string[] {
  if (!word.includes('*')) return [word];
  const pattern = new RegExp(`^${word.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
  return readdirSync(folder)
    .filter((name) => pattern.test(name))
    .sort();
}

/** Runs one line: in this process if possible, because starting a process takes longer than most lines. Threads of a batch load a bundle ten times as fast as the source. */
async function runLine(line: string, folder: string): Promise<{ code: number; stderr: string }> {
  const words = wordsOf(line, folder);
  if (words !== null && words[1] !== 'batch') {
    const before = process.cwd();
    process.chdir(folder);
    try {
      const { exit, stderr } = await runHere(words.slice(1));
      return { code: exit, stderr };
    } finally {
      process.chdir(before);
    }
  }
  const script = `anyrig() { node ${await bundledProgram('anyrig')} "$@"; }\n${line}\nexit $?`;
  return run('bash', ['-c', script], { cwd: folder }).then(
    () => ({ code: 0, stderr: '' }),
    (error: { code: number; stderr: string }) => error,
  );
}

/** Runs command lines one after the other. Returns those with an unexpected exit code, with their output. */
export async function runCommandLines(lines: readonly CommandLine[], folder: string): Promise<string[]> {
  const wrong: string[] = [];
  for (const { line, exit } of lines) {
    const ended = await runLine(line, folder);
    if (ended.code !== exit) wrong.push(`${line} ended with ${ended.code}: ${ended.stderr}`);
  }
  return wrong;
}

/** A module of a document or an example, and its command line arguments. */
export interface DocumentModule {
  readonly source: string;
  readonly args?: readonly string[];
}

/**
 * Runs modules that import anyrig by its name, one after the other in one process, from inside the package and in a folder. A module that
 * exits does not stop those after it. Returns the output of each.
 */
export async function runModules(modules: readonly DocumentModule[], folder: string): Promise<string[]> {
  const paths = modules.map((_, k) => inProject('test', `.docs-${process.pid}-${k}.ts`));
  const all = inProject('test', `.docs-${process.pid}.ts`);
  for (const [k, { source }] of modules.entries()) writeFileSync(paths[k], source);
  const end = '--- end of a module ---';
  const lines = paths.map((path, k) => {
    const argv = `process.argv.splice(2, Infinity, ...${JSON.stringify(modules[k].args ?? [])});`;
    return `${argv}\nawait import(${JSON.stringify(path)});\nconsole.log(${JSON.stringify(end)});\n`;
  });
  writeFileSync(all, `const { exit } = process;\nprocess.exit = () => {};\n${lines.join('')}exit(0);\n`);
  try {
    const [command, ...flags] = NODE.split(' ');
    const { stdout } = await run(command, [...flags, all], { cwd: folder });
    return stdout.split(`${end}\n`).slice(0, -1);
  } finally {
    for (const path of [all, ...paths]) rmSync(path, { force: true });
  }
}

/**
 * Runs modules like {@link runModules}, but in this process, which is much faster. Not for modules that change what a library keeps per
 * process (plugins that they register) or that exit.
 */
export async function runModulesHere(sources: readonly string[], folder: string): Promise<void> {
  const before = process.cwd();
  const paths = sources.map((_, k) => inProject('test', `.docs-here-${process.pid}-${k}-${basename(folder)}.ts`));
  const { log } = console;
  const endServing = servePageFiles(folder);
  process.chdir(folder);
  console.log = () => {};
  try {
    for (const [k, source] of sources.entries()) {
      writeFileSync(paths[k], source);
      await import(paths[k]);
    }
  } finally {
    console.log = log;
    endServing();
    process.chdir(before);
    for (const path of paths) rmSync(path, { force: true });
  }
}
