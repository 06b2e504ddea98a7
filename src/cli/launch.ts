#!/usr/bin/env node
/**
 * Entry of the bundle: runs the command line with the code that V8 compiled the last time, so that a short job is not mostly
 * compiling. The cache lies beside the bundle, whoever may write there may change the bundle too; where it cannot be written
 * nothing is lost but time. `NODE_DISABLE_COMPILE_CACHE=1` switches it off.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

/** The bundle, all ASCII, and at its end the line with its hash that the build writes. */
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
 * Where the compiled code of a command is kept: each compiles other functions. Null for what is too short to be worth it.
 * The name holds all that the code depends on.
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

/** Keeps what was compiled. Another process may do the same at the same time: the last one wins. */
function writeCache(file: string, script: Script): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const temporary = `${file}.${process.pid}`;
    writeFileSync(temporary, script.createCachedData());
    renameSync(temporary, file);
  } catch {
    // A folder that cannot be written: the next run compiles again.
  }
}

function launch(): void {
  // A short job ends before optimized code has paid for its making. V8 of Node 20 only: later ones optimize otherwise.
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
  // Scripts of vm cannot import by themselves: the build turns their `import()` into this.
  wrapper(module.exports, createRequire(file), module, file, __dirname, (specifier) => import(specifier));
}

launch();
