/** Compiles the playback kernel from src/playback/kernel/assembly to the module that is committed next to it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const KERNEL = resolve(import.meta.dirname, '../src/playback/kernel');

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

/** The file that contains the compiled kernel. */
export const KERNEL_FILE = join(KERNEL, 'playback.wasm.ts');

/** Compiles the kernel and returns the text of {@link KERNEL_FILE}: the WebAssembly module in base64. */
export async function compileKernel(): Promise<string> {
  const folder = join(KERNEL, 'assembly');
  const sources = new Set(readdirSync(folder));
  const compiler = (await import(COMPILER)) as Compiler;
  let wasm: Uint8Array | null = null;
  const options = ['--optimizeLevel', '3', '--runtime', 'stub', '--noAssert', '--importMemory', '--noExportMemory'];
  const { error, stderr } = await compiler.main(
    ['playback.ts', '--outFile', 'playback.wasm', '--enable', 'simd', ...options],
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
  if (wasm === null) throw new Error('The compiler wrote no WebAssembly module.');
  return `/** assembly/playback.ts as a WebAssembly module in base64, compiled by \`npm run kernel\`. */
export const PLAYBACK_WASM: string =
  '${Buffer.from(wasm).toString('base64')}';
`;
}
