/** Runs the code of README, docs and examples unchanged, on demo files. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';
import { runHere } from './cli/run-here.ts';
import { walkFbx } from './make/demo-fbx.ts';
import { demoBytes } from './make/demo-files.ts';

const root = resolve(fileURLToPath(new URL('..', import.meta.url)));
const run = promisify(execFile);
const NODE = `node --conditions=@anyrig/source --import ${join(root, 'node_modules/tsx/dist/esm/index.mjs')}`;

/** File names in the docs, and the demo files they stand for. */
const NAMES: Readonly<Record<string, string>> = {
  'walk.glb': 'walk.glb',
  'wave.vrma': 'wave.vrma',
  'turn.bvh': 'turn.bvh',
  'avatar.vrm': 'child.vrm',
  'old-avatar.vrm': 'chibi.vrm',
  'hero.glb': 'unreal.glb',
  'odd-rig.glb': 'odd-axes.glb',
};

/** A path inside the project. */
export function inProject(...parts: string[]): string {
  return join(root, ...parts);
}

/** The text of a document of the project. */
export function documentText(path: string): string {
  return readFileSync(inProject(path), 'utf8');
}

/** Creates a folder with the files that the docs use; removed at the end of the test file. */
export function exampleFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'anyrig-docs-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, from] of Object.entries(NAMES)) writeFileSync(join(folder, name), demoBytes(from));
  writeFileSync(join(folder, 'walk.fbx'), walkFbx());
  return folder;
}

/** Blocks of a language in a document. */
export function blocks(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, block]) => block);
}

/** A command line of a document, and its expected exit code. */
export interface CommandLine {
  readonly line: string;
  /** From its comment `# exit 2: why`; 0 without a comment. */
  readonly exit: number;
}

/** The command lines of anyrig in a document. */
export function commandLines(text: string): CommandLine[] {
  return blocks(text, 'sh')
    .flatMap((block) => block.split('\n'))
    .filter((line) => line.startsWith('anyrig '))
    .map((line) => ({ line, exit: Number(/#.*\bexit (\d)/.exec(line)?.[1] ?? 0) }));
}

/** Splits a line of words, quotes and a comment like a shell; null for lines that need a real shell. */
function wordsOf(line: string): string[] | null {
  const [command] = line.split(/\s#/);
  if (/[|&;<>$`\\*?]/.test(command.replace(/"[^"$`\\]*"/g, ''))) return null;
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word);
}

/** Runs one line: in this process if possible, because starting a process takes longer than most lines. */
async function runLine(line: string, folder: string): Promise<{ code: number; stderr: string }> {
  const words = wordsOf(line);
  if (words !== null) {
    const before = process.cwd();
    process.chdir(folder);
    try {
      const { exit, stderr } = await runHere(words.slice(1));
      return { code: exit, stderr };
    } finally {
      process.chdir(before);
    }
  }
  const script = `anyrig() { ${NODE} ${inProject('src/cli/main.ts')} "$@"; }\n${line}\nexit $?`;
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
  process.chdir(folder);
  console.log = () => {};
  try {
    for (const [k, source] of sources.entries()) {
      writeFileSync(paths[k], source);
      await import(paths[k]);
    }
  } finally {
    console.log = log;
    process.chdir(before);
    for (const path of paths) rmSync(path, { force: true });
  }
}

/** Paths inside the project that a document links to or names as code, relative to the project. */
export function namedPaths(path: string): string[] {
  const text = documentText(path);
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.';
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(([, link]) => join(folder, link));
  const named = [...text.matchAll(/`((?:test|scripts|src|docs)\/[\w./-]+)`/g)].map(([, code]) => code);
  return [...links, ...named];
}
