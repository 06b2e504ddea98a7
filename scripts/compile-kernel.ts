/** Compiles the kernels of src/kernels/assembly to the modules that are committed next to it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const KERNELS = resolve(import.meta.dirname, '../src/kernels');

/** The used part of the compiler's interface. */
interface Compiler {
  readonly main: (
    options: readonly string[],
    io: {
      readonly readFile: (file: string) => string | null;
      readonly writeFile: (file: string, contents: string | Uint8Array) => void;
      readonly listFiles: () => string[];
    },
  ) => Promise<{ error: Error | null; stderr: object }>;
}

// Not a literal type: the declarations of the package change global types, and thereby the inferred types in src.
const COMPILER: string = 'assemblyscript/asc';

/** Ending of kernels whose memory threads share; the source is that of the kernel without it. */
const SHARED = '-shared';

/** Names of all kernels. */
export const KERNEL_NAMES = ['skin-linear', 'playback', 'crowd', 'map-keys', 'morph', 'playback-shared'] as const;

/**
 * Returns the path of the file that contains the compiled kernel.
 *
 * @param name Name of the kernel.
 * @returns An absolute path.
 */
export function kernelModulePath(name: string): string {
  return join(KERNELS, `${name}.wasm.ts`);
}

/**
 * Compiles a kernel.
 *
 * @param name Name of the kernel.
 * @returns The text of the file at {@link kernelModulePath}: the WebAssembly module in base64.
 * @throws {Error} With the messages of the compiler, if compiling fails.
 */
export async function compileKernel(name: string): Promise<string> {
  const folder = join(KERNELS, 'assembly');
  const sources = new Set(readdirSync(folder));
  const compiler = (await import(COMPILER)) as Compiler;
  let wasm: Uint8Array | null = null;
  const source = name.replace(SHARED, '');
  const threads = ['--enable', 'threads', '--sharedMemory', '--initialMemory', '1', '--maximumMemory', '65536'];
  const options = ['--optimizeLevel', '3', '--runtime', 'stub', '--noAssert', '--importMemory', '--noExportMemory'];
  const { error, stderr } = await compiler.main(
    [`${source}.ts`, '--outFile', `${name}.wasm`, '--enable', 'simd', ...options, ...(source === name ? [] : threads)],
    {
      // The compiler also asks for files of its library and of packages, which it has itself.
      readFile: (file) => (sources.has(file) ? readFileSync(join(folder, file), 'utf8') : null),
      writeFile: (_, contents) => {
        if (typeof contents !== 'string') wasm = contents;
      },
      listFiles: () => [],
    },
  );
  if (error !== null) throw new Error(`${error.message}\n${stderr.toString()}`);
  if (wasm === null) throw new Error(`The compiler wrote no WebAssembly module for kernel ${name}.`);
  const constant = `${name.replaceAll('-', '_').toUpperCase()}_WASM`;
  return `/** assembly/${source}.ts as a WebAssembly module in base64, compiled by \`npm run kernels\`. */
export const ${constant}: string =
  '${Buffer.from(wasm).toString('base64')}';
`;
}
