/** Writes the reference of the library as Markdown: one page per entry of the package, from its docstrings. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { Application } from 'typedoc';
import { anchorOf, ENTRIES, REFERENCE, ROOT } from './pages.ts';

/** Options of the plugin, which typedoc has no types for. */
const PLUGIN_OPTIONS: object = {
  outputFileStrategy: 'modules',
  hideBreadcrumbs: true,
  hidePageHeader: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  propertyMembersFormat: 'table',
};

/** Lists the anchors of a page. Equal headings are numbered, as GitHub and VitePress do. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set(Array.from(text.matchAll(/<a id="([^"]*)"/g), ([, id]) => id));
  const seen = new Map<string, number>();
  for (const [, heading] of text.replace(/^```.*?^```/gms, '').matchAll(/^#+ (.*)$/gm)) {
    const anchor = anchorOf(heading);
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    anchors.add(before === 0 ? anchor : `${anchor}-${before}`);
  }
  return anchors;
}

/** Repairs links to numbered headings: the plugin of typedoc also numbers some names that have one heading. */
function repairAnchors(): void {
  const pages = ENTRIES.map(({ name }) => `${REFERENCE}/${name}.md`);
  const anchors = new Map(pages.map((page) => [page, anchorsOf(readFileSync(join(ROOT, page), 'utf8'))]));
  for (const page of pages) {
    const text = readFileSync(join(ROOT, page), 'utf8');
    const repaired = text.replace(/\]\(([^)#\s]*)#([\w-]+)-\d+\)/g, (link, file: string, name: string) => {
      const known = anchors.get(file === '' ? page : posix.join(posix.dirname(page), file));
      const isThere = known?.has(link.slice(link.indexOf('#') + 1, -1)) ?? true;
      return isThere || known?.has(name) !== true ? link : `](${file}#${name})`;
    });
    writeFileSync(join(ROOT, page), repaired);
  }
}

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
  repairAnchors();
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error('typedoc reported problems; see above.');
}
