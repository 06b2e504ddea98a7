/** The site: the pages of docs/ as they are, the reference, and the tools in the browser. */
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vitepress';
import { chunkOf } from '../../studio/build/chunk-groups.ts';
import { links } from '../links.ts';
import {
  addressOf,
  anchorOf,
  ENTRIES,
  isPage,
  PACKAGE,
  REFERENCE,
  REPOSITORY,
  ROOT,
  SECTIONS,
  titleOf,
} from '../pages.ts';

/** Imports of anyrig by its name are imports of its sources, as in the studio. */
const SOURCES = ENTRIES.map(({ name, sources }) => ({
  find: new RegExp(`^${name}$`),
  replacement: join(ROOT, sources.default),
}));

/** Plugin of Vite: leaves the worker out of the code that renders pages, which never starts it. */
function browserOnly(): Plugin {
  return {
    name: 'anyrig-browser-only',
    enforce: 'pre',
    load: (id, options) => {
      return options?.ssr === true && id.endsWith('/site/engine/client.ts') ? 'export const engine = null;' : null;
    },
  };
}

export default defineConfig({
  srcDir: '..',
  outDir: 'dist',
  // All that is no page. VitePress lists every Markdown file below the root of the repository.
  srcExclude: [
    '{src,test,scripts,skills,bench,examples,schema,studio,dist,.github,anyrig-demo}/**',
    'site/dist/**',
    'docs/api/**',
    '{README,THIRD-PARTY,CODE_OF_CONDUCT}.md',
  ],
  rewrites: (path) => (isPage(path) ? `${addressOf(path)}index.md` : path),
  lang: 'en-US',
  title: 'anyrig',
  description: PACKAGE.description,
  lastUpdated: false,
  head: [['meta', { name: 'theme-color', content: '#4a46e5' }]],
  transformHead: ({ siteData }) => [
    ['link', { rel: 'icon', href: `${siteData.base}logo.svg`, type: 'image/svg+xml' }],
    ['link', { rel: 'alternate', href: `${siteData.base}llms.txt`, type: 'text/plain', title: 'For agents' }],
  ],
  // Screen readers and translators ask in which language a page is.
  transformHtml: (html, _, { pageData }) =>
    pageData.filePath.startsWith('docs/ja/') ? html.replace('<html lang="en-US"', '<html lang="ja"') : html,
  // The reference is written from docstrings.
  transformPageData: ({ filePath, frontmatter }) => {
    return filePath.startsWith(REFERENCE) ? { frontmatter: { ...frontmatter, editLink: false } } : undefined;
  },
  markdown: {
    // Pages about the studio have a dozen pictures.
    image: { lazyLoading: true },
    // The default themes have less contrast than 4.5.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: anchorOf },
    config: links,
  },
  vite: {
    publicDir: join(ROOT, 'site/public'),
    resolve: { alias: SOURCES },
    worker: {
      format: 'es',
      rollupOptions: {
        output: { manualChunks: (module, { getModuleInfo }) => chunkOf(module, getModuleInfo) ?? undefined },
      },
    },
    plugins: [browserOnly()],
    build: { chunkSizeWarningLimit: Number.POSITIVE_INFINITY },
  },
  themeConfig: {
    logo: '/logo.svg',
    search: {
      provider: 'local',
      options: {
        // Pages that say what to do come before the reference, which has every word in it.
        miniSearch: {
          searchOptions: { boostDocument: (id: string): number => (id.includes('/reference/') ? 0.3 : 1) },
        },
      },
    },
    outline: [2, 3],
    nav: [
      { text: 'Recipes', link: '/recipes/' },
      { text: 'Docs', link: '/docs/options/', activeMatch: '^/(?:docs|reference)/' },
      { text: 'Gallery', link: '/gallery/' },
      { text: 'Studio', link: '/studio/', target: '_self' },
      {
        text: PACKAGE.version,
        items: [
          { text: 'Changes', link: '/changes/' },
          { text: 'On npm', link: 'https://www.npmjs.com/package/anyrig' },
        ],
      },
    ],
    sidebar: SECTIONS.map(({ title, pages }) => ({
      text: title,
      items: pages.map((path) => ({ text: titleOf(path), link: `/${addressOf(path)}` })),
    })),
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    editLink: { pattern: `${REPOSITORY}/edit/main/:path`, text: 'Edit this page' },
    docFooter: { prev: false, next: false },
  },
});
