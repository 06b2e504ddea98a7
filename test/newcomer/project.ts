/** Empty projects that the package is installed into. */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { blocks, documentText } from '../support/documents.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
/** Fast and quiet, without a question. */
const NPM_FLAGS = '--prefer-offline --no-audit --no-fund --loglevel=error';

/** What a command printed. */
export interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

/** Returns the environment of a user's shell: without what npm sets for this script. */
function userEnv(folder: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^npm_|^NODE_OPTIONS$|^ANYRIG_/i.test(name));
  const env = Object.fromEntries(own);
  // What `npm i -g` does for the command lines of the docs, which begin with `anyrig`.
  return { ...env, CI: '1', NO_COLOR: '1', PATH: [join(folder, 'node_modules/.bin'), env['PATH']].join(delimiter) };
}

/**
 * Runs a command line in a shell.
 *
 * @param line The command line.
 * @param folder The current folder.
 * @param exit The expected exit code.
 * @returns What it printed.
 * @throws Error with the command line and all output for another exit code.
 */
export async function runLine(line: string, folder: string, exit = 0): Promise<Output> {
  const child = spawn('bash', ['-c', line], { cwd: folder, env: userEnv(folder), stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data) => {
    stdout += data;
  });
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code === exit) return { stdout, stderr };
  throw new Error(`$ ${line}\nended with ${code}, expected ${exit}\n${stdout}${stderr}`);
}

/**
 * Creates an empty project: the files of `projects/NAME`, and for a page those of the template of Vite.
 *
 * @param name Name of the folder in `projects/`.
 * @param parent Folder to create it in.
 * @param isPage Whether it is a Vite project.
 * @returns Path of the project.
 */
export function createProject(name: string, parent: string, isPage: boolean): string {
  const folder = join(parent, name);
  mkdirSync(folder, { recursive: true });
  if (isPage) cpSync(join(HERE, 'template'), folder, { recursive: true });
  cpSync(join(HERE, 'projects', name), folder, { recursive: true });
  return folder;
}

/** Returns the first line of a document that installs anyrig with a package. */
function installLine(document: string, withPackage: string): string {
  const lines = blocks(documentText(document), 'sh').flatMap((block) => block.split('\n'));
  const found = lines.find((line) => /^npm i anyrig\b/.test(line) && line.includes(withPackage));
  if (found === undefined) throw new Error(`${document} has no line "npm i anyrig … ${withPackage}"`);
  return found.replace(/\s+#.*/, '');
}

/**
 * Installs what a document says: anyrig from the tarball, everything else in the version of the project's package.json.
 *
 * @param document Path of the document.
 * @param folder The project.
 * @param tarball Path of the packed package.
 * @param withPackage A package of that line, where the document has several such lines.
 */
export async function installAsIn(document: string, folder: string, tarball: string, withPackage = ''): Promise<void> {
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  const [npm, i, ...names] = installLine(document, withPackage).split(/\s+/);
  const packages = names.map((name) => {
    if (name === 'anyrig') return tarball;
    if (dependencies[name] === undefined)
      throw new Error(`${document} installs ${name}, package.json of ${folder} does not`);
    return `${name}@${dependencies[name]}`;
  });
  await runLine([npm, i, NPM_FLAGS, ...packages].join(' '), folder);
}

/**
 * Returns a code block of a document.
 *
 * @param document Path of the document.
 * @param language Language of the block: `ts` for Node, `ts browser` for a page.
 * @param texts What the block contains.
 * @returns The code.
 * @throws Error when there is not exactly one such block.
 */
export function codeOf(document: string, language: 'ts' | 'ts browser', ...texts: readonly string[]): string {
  const found = blocks(documentText(document), language).filter((block) => texts.every((text) => block.includes(text)));
  if (found.length === 1) return found[0];
  throw new Error(`${document} has ${found.length} blocks of ${language} with ${texts.join(' and ')}, expected 1`);
}

/**
 * Compiles modules of documents with TypeScript and runs them in Node, one after the other.
 *
 * @param modules The modules by name.
 * @param folder The project.
 * @returns What they printed.
 */
export async function runModules(modules: Readonly<Record<string, string>>, folder: string): Promise<string> {
  for (const [name, code] of Object.entries(modules)) writeFileSync(join(folder, `${name}.ts`), code);
  await runLine('npx tsc', folder);
  let printed = '';
  for (const name of Object.keys(modules)) {
    const { stdout, stderr } = await runLine(`node ${name}.js`, folder);
    printed += stdout + stderr;
  }
  return printed;
}

/** Warnings of Vite about something else: the size of the engine itself. */
const ENGINE_SIZE = /\(!\) Some chunks are larger than 500 kB[\s\S]*?chunkSizeWarningLimit\.\n/;
/** What a build without warnings prints. */
const QUIET_LINE =
  /^(?:npm warn.*|vite v.*|transforming.*|✓ .*|rendering chunks.*|computing gzip size.*|dist\/.*|\[plugin builtin:vite-reporter\]\s*)$/;

/**
 * Type-checks pages.
 *
 * @param pages Their modules by name.
 * @param folder The Vite project.
 * @throws Error for type errors.
 */
export async function checkPages(pages: Readonly<Record<string, string>>, folder: string): Promise<void> {
  for (const [name, code] of Object.entries(pages)) writeFileSync(join(folder, `${name}.ts`), code);
  await runLine('npx tsc', folder);
}

/**
 * Builds a page.
 *
 * @param code The module of the page, `main.ts`.
 * @param folder The Vite project.
 * @throws Error for build errors and warnings.
 */
export async function buildPage(code: string, folder: string): Promise<void> {
  writeFileSync(join(folder, 'main.ts'), code);
  const { stdout, stderr } = await runLine('npx vite build', folder);
  const lines = `${stdout}\n${stderr}`.replace(ENGINE_SIZE, '').split('\n');
  const warnings = lines.filter((line) => line.trim() !== '' && !QUIET_LINE.test(line.trim()));
  if (warnings.length > 0) throw new Error(`Vite warns:\n${warnings.join('\n')}`);
}

/**
 * Returns the files of a built page.
 *
 * @param folder The Vite project.
 * @returns A function from paths to files.
 */
export function builtFiles(folder: string): (path: string) => Uint8Array | null {
  return (path) => {
    const file = join(folder, 'dist', path);
    return existsSync(file) ? readFileSync(file) : null;
  };
}
