/** Writes the reference of the library as Markdown: one page per entry of the package, from its docstrings. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Application } from 'typedoc';
import { ENTRIES, REFERENCE, ROOT } from './pages.ts';

/** Options of the plugin, which typedoc has no types for. */
const PLUGIN_OPTIONS: object = {
  outputFileStrategy: 'modules',
  hideBreadcrumbs: true,
  hidePageHeader: true,
  // Written out, so that links do not depend on how two programs number equal headings.
  useCustomAnchors: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  propertyMembersFormat: 'table',
};

/**
 * Writes the reference.
 *
 * @throws Error If typedoc warns, as `npm run docs` does.
 */
export async function writeReference(): Promise<void> {
  const out = join(ROOT, REFERENCE);
  rmSync(out, { recursive: true, force: true });
  const app = await Application.bootstrapWithPlugins({
    options: join(ROOT, 'typedoc.json'),
    plugin: ['typedoc-plugin-markdown'],
    out,
    logLevel: 'Warn',
    readme: 'none',
    // tsc checks types, in less time.
    skipErrorChecking: true,
    // Members of HTMLElement and Error are documented elsewhere.
    excludeExternals: true,
    ...PLUGIN_OPTIONS,
  });
  const project = await app.convert();
  if (project === undefined) throw new Error('typedoc could not read the sources.');
  // typedoc names modules by their sources: without the common folder, extension and index.
  const names = new Map(
    ENTRIES.map(({ name, sources }) => [sources.node.replace(/^\.\/src\/|(?:\/index)?\.ts$/g, ''), name]),
  );
  for (const entry of project.children ?? []) entry.name = names.get(entry.name) ?? entry.name;
  app.validate(project);
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error('typedoc reported problems; see above.');
}
