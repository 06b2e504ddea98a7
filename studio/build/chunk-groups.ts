/** Which modules of the page and of its worker are in one file. */
import type { Rolldown } from 'vite';

/**
 * Puts what an entry imports, directly or not, into one chunk. Otherwise each set of modules that dynamic imports share with the entry is a file of its own: forty
 * small ones, which take longer and compress worse. What an entry loads must not import an `index.ts` of the library, which imports everything.
 */
export const OUTPUT: Rolldown.OutputOptions = {
  codeSplitting: {
    groups: [
      {
        name: (module, graph) => {
          const known = new Set<string>();
          const loadsWithEntry = (id: string): boolean => {
            if (known.has(id)) return false;
            known.add(id);
            const info = graph.getModuleInfo(id);
            return info !== null && (info.isEntry || info.importers.some(loadsWithEntry));
          };
          return loadsWithEntry(module) ? 'main' : null;
        },
      },
    ],
  },
  // Marks of calls without effects are for bundlers; nothing bundles the page again.
  comments: { annotation: false },
};
