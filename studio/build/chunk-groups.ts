/** Which modules of a page and of its worker are in one file. */
import type { Rolldown } from 'vite';

/**
 * Puts what an entry imports, directly or not, into one chunk. Otherwise each set of modules that dynamic imports share with the entry is a file of its own: forty
 * small ones, which take longer and compress worse. What an entry loads must not import an `index.ts` of the library, which imports everything.
 *
 * The entry itself is no part of it, so that no file imports the one that `new Worker` starts with: WebKit would run it once more, with other variables.
 *
 * @param infoOf Tells what the bundler knows of a module; null for one that is not bundled.
 * @returns Name of the chunk; null where the bundler decides.
 */
export function chunkOf(
  module: string,
  infoOf: (id: string) => { readonly isEntry: boolean; readonly importers: readonly string[] } | null,
): string | null {
  const known = new Set<string>();
  const loadsWithEntry = (id: string): boolean => {
    if (known.has(id)) return false;
    known.add(id);
    const info = infoOf(id);
    return info !== null && (info.isEntry || info.importers.some(loadsWithEntry));
  };
  return infoOf(module)?.isEntry !== true && loadsWithEntry(module) ? 'main' : null;
}

/** Output of the page and of its worker. */
export const OUTPUT: Rolldown.OutputOptions = {
  codeSplitting: {
    groups: [
      { name: (module, graph) => chunkOf(module, (id) => graph.getModuleInfo(id)), priority: 1 },
      // The first result needs all contacts, other parts of the page some: together they are one file instead of four.
      { name: 'contacts', test: /src\/core\/contacts\// },
    ],
  },
  // Marks of calls without effects are for bundlers; nothing bundles the page again.
  comments: { annotation: false },
};
