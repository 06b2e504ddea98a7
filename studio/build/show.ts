import { fileURLToPath } from 'node:url';
import { type Plugin, runnerImport } from 'vite';

type Files = ReadonlyMap<string, Uint8Array>;

const MODULE = fileURLToPath(new URL('make-show.ts', import.meta.url));

/**
 * Vite plugin: adds the files of the first view, which the library makes from source. `conditions`: export conditions under which the library is
 * imported from source.
 */
export function show(conditions: string[]): Plugin {
  let made: Promise<Files> | null = null;
  const make = async (): Promise<Files> => {
    const config = { environments: { inline: { resolve: { conditions } } } };
    const { module } = await runnerImport<{ readonly SHOW_FILES: Files }>(MODULE, config);
    return module.SHOW_FILES;
  };
  const files = (): Promise<Files> => {
    made ??= make();
    return made;
  };
  return {
    name: 'anyrig-show',
    async generateBundle() {
      for (const [fileName, source] of await files()) this.emitFile({ type: 'asset', fileName, source });
    },
    configureServer: ({ middlewares }) => {
      middlewares.use((request, response, next) => {
        const path = request.url?.slice(1).split('?')[0] ?? '';
        if (!path.startsWith('show/')) return next();
        files().then((all) => response.end(all.get(path)), next);
      });
    },
  };
}
