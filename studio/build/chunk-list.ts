import type { Plugin } from 'vite';

/** A chunk of the build, for `scripts/studio-size.ts`. */
export interface ListedChunk {
  readonly file: string;
  /** Name of the module or group, without the hash. */
  readonly name: string;
  /** Whether a page or `new Worker` starts with it. */
  readonly isEntry: boolean;
  readonly imports: readonly string[];
  /** Files that it loads when needed. */
  readonly dynamicImports: readonly string[];
}

/**
 * Vite plugin: lists the chunks and what they import. The manifest of Vite does not have those of workers. `build`: `page` or `worker`. Returns the
 * plugin, which writes `.vite/chunks-BUILD.json`.
 */
export function chunkList(build: 'page' | 'worker'): Plugin {
  return {
    name: 'anyrig-chunk-list',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).flatMap((one): ListedChunk[] => {
        if (one.type !== 'chunk') return [];
        const { fileName: file, name, isEntry, imports, dynamicImports } = one;
        return [{ file, name, isEntry, imports, dynamicImports }];
      });
      this.emitFile({ type: 'asset', fileName: `.vite/chunks-${build}.json`, source: JSON.stringify(chunks) });
    },
  };
}
