#!/usr/bin/env node
/**
 * Entry of the bundle: runs the command line with compiled code from the previous run, because a short job spends most of its time on
 * compilation. The cache is next to the bundle: anyone who can write there can change the bundle too. If it cannot be written, the next run
 * compiles again. `NODE_DISABLE_COMPILE_CACHE=1` disables it.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

/** The bundle: all ASCII, with its hash in the last line, written by the build. */
const BUNDLE = 'anyrig.js';
const HASH_LENGTH = 16;
const COMMANDS = ['retarget', 'convert', 'inspect', 'map', 'preview', 'define', 'extract', 'validate', 'demo'];

type Wrapper = (
  exports: object,
  require: NodeJS.Require,
  module: object,
  file: string,
  folder: string,
  importModule: (specifier: string) => Promise<unknown>,
) => void;

/**
 * Path of the compiled code of a command: each command compiles different functions. Null for runs that are too short to profit.
 * The name contains everything that the compiled code depends on.
 */
function cacheFile(folder: string, source: string, command: string | undefined): string | null {
  if (command === undefined || !COMMANDS.includes(command) || process.env['NODE_DISABLE_COMPILE_CACHE']) return null;
  const hash = source.trimEnd().slice(-HASH_LENGTH);
  return join(folder, '.cache', `${command}-${hash}-${process.version}-${process.arch}.bin`);
}

function readCache(file: string | null): Buffer | undefined {
  if (file === null) return undefined;
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Stores the compiled code. Of several processes that do so at the same time, the last one wins. */
function writeCache(file: string, script: Script): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const temporary = `${file}.${process.pid}`;
    writeFileSync(temporary, script.createCachedData());
    renameSync(temporary, file);
  } catch {
    // The folder cannot be written: the next run compiles again.
  }
}

function launch(): void {
  // A short job ends before optimized code pays off. Only for the V8 of Node 20: later versions optimize differently.
  if (process.versions.v8.startsWith('11.')) setFlagsFromString('--interrupt-budget=1000000');
  const file = join(__dirname, BUNDLE);
  const source = readFileSync(file, 'latin1');
  const cache = cacheFile(__dirname, source, process.argv[2]);
  const cachedData = readCache(cache);
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname, importModule) {${source}\n})`,
    {
      filename: file,
      ...(cachedData === undefined ? {} : { cachedData }),
    },
  );
  if (cache !== null && (cachedData === undefined || script.cachedDataRejected)) {
    process.on('exit', (code) => {
      if (code === 0) writeCache(cache, script);
    });
  }
  const module = { exports: {} };
  const wrapper = script.runInThisContext() as Wrapper;
  // Scripts of node:vm have no import(): the build replaces it with this function.
  wrapper(module.exports, createRequire(file), module, file, __dirname, (specifier) => import(specifier));
}

launch();
