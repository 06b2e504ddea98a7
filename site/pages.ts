/** The pages of the site: which file of the repository is shown at which address, and in which order. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository: pages are named by their path below it. */
export const ROOT: string = fileURLToPath(new URL('..', import.meta.url));

/** Where the sources can be read, for links to files that are no page. */
export const REPOSITORY = 'https://github.com/anyrig/anyrig';

/** Pages under one heading. */
export interface Section {
  /** The heading. */
  readonly title: string;
  /** Paths of the pages. */
  readonly pages: readonly string[];
}

/** Folder of the reference, which `reference.ts` writes: one page per entry of the package. */
export const REFERENCE = 'site/reference';

interface Condition {
  readonly '@anyrig/source'?: string | { readonly node: string; readonly default: string };
}

/** What package.json says that pages show. */
export const PACKAGE = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly description: string;
  readonly exports: Readonly<Record<string, Condition>>;
};

/** An entry of the package. */
export interface PackageEntry {
  /** As users import it. */
  readonly name: string;
  /** Its sources for Node and for browsers, below the root. */
  readonly sources: { readonly node: string; readonly default: string };
}

/** The entries of the package. */
export const ENTRIES: readonly PackageEntry[] = Object.entries(PACKAGE.exports).flatMap(([subpath, condition]) => {
  const source = condition['@anyrig/source'];
  if (source === undefined) return [];
  const sources = typeof source === 'string' ? { node: source, default: source } : source;
  return [{ name: subpath.replace('.', 'anyrig'), sources }];
});

const docs = (...names: readonly string[]): string[] => names.map((name) => `docs/${name}.md`);

/** All pages but the home page. A file in docs/ that is missing here fails the build. */
export const SECTIONS: readonly Section[] = [
  {
    title: 'Recipes',
    pages: docs(
      'recipes',
      'recipes/mixamo-to-vrm',
      'recipes/one-library',
      'recipes/after-ready-player-me',
      'recipes/blender-round-trip',
      'recipes/unity',
      'recipes/unreal',
      'recipes/godot',
      'recipes/mocap-folder',
      'recipes/text-to-motion',
      'recipes/kimodo-to-unity',
      'recipes/gvhmr-to-vrm',
      'recipes/mmd-to-vrm',
      'recipes/webcam-to-avatar',
      'recipes/ci',
    ),
  },
  {
    title: 'Do it',
    pages: docs(
      'studio',
      'ja/studio',
      'options',
      'many-files',
      'batch',
      'batch-machines',
      'compare',
      'preview',
      'vrm',
      'face',
      'root-motion',
      'contacts',
    ),
  },
  { title: 'Repair it', pages: docs('mapping', 'reference-pose', 'validate', 'define') },
  {
    title: 'In your program',
    pages: docs('three', 'babylon', 'gltf-transform', 'playback', 'stage', 'unity', 'unreal', 'blender', 'agents'),
  },
  {
    title: 'Formats',
    pages: docs(
      'formats/gltf',
      'formats/fbx',
      'formats/bvh',
      'formats/usd',
      'formats/npz',
      'formats/mmd',
      'formats/points',
      'ext-skeleton-humanoid',
      'usd-skel',
      'geometry',
    ),
  },
  {
    title: 'Look it up',
    pages: [
      ...docs('api', 'codes', 'reports', 'guarantees', 'gltf-conformance'),
      'CHANGELOG.md',
      'SECURITY.md',
      'CONTRIBUTING.md',
    ],
  },
  {
    title: 'Tools in the browser',
    pages: ['site/gallery.md', 'site/fbx-to-vrma.md', 'site/bvh-to-glb.md', 'site/retarget.md', 'site/inspect.md'],
  },
  {
    title: 'Reference of the library',
    pages: [`${REFERENCE}/README.md`, ...ENTRIES.map(({ name }) => `${REFERENCE}/${name}.md`)],
  },
];

/** The home page. */
export const HOME = 'site/index.md';

const listed = new Set([HOME, ...SECTIONS.flatMap(({ pages }) => pages)]);
const missing = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)
  .filter((path) => !path.startsWith('docs/api/') && !listed.has(path));
if (missing.length > 0)
  throw new Error(`${missing.join(', ')}: on no page of the site. Add it to SECTIONS in site/pages.ts.`);

/** Whether a file of the repository is a page of the site. */
export function isPage(path: string): boolean {
  return listed.has(path);
}

/** Addresses that do not follow from the path. */
const ADDRESSES: Readonly<Record<string, string>> = {
  [HOME]: '',
  [`${REFERENCE}/README.md`]: 'reference/',
  'docs/recipes.md': 'recipes/',
  'CHANGELOG.md': 'changes/',
  'SECURITY.md': 'security/',
  'CONTRIBUTING.md': 'contributing/',
};

/**
 * Returns the address of a page, relative to the root of the site. Every page is a folder: links have no extension, and any web server can serve it.
 *
 * @param path Path in the repository.
 */
export function addressOf(path: string): string {
  return ADDRESSES[path] ?? path.replace(/^site\/|^docs\/(?=recipes\/)/, '').replace(/\.md$/, '/');
}

const byAddress = new Map([...listed].map((path) => [addressOf(path), path]));

/**
 * Returns the path of the page at an address.
 *
 * @throws RangeError If there is none.
 */
export function pageAt(address: string): string {
  const path = byAddress.get(address);
  if (path === undefined) throw new RangeError(`The site has no page at /${address}.`);
  return path;
}

/** Returns the text of a page without front matter. */
export function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8').replace(/^---\n.*?\n---\n/s, '');
}

/** Returns the first heading of a page, without marks of Markdown. */
export function titleOf(path: string): string {
  const heading = /^# (.*)$/m.exec(textOf(path))?.[1];
  if (heading === undefined) throw new Error(`${path} has no heading. Begin it with "# Title".`);
  return heading.replace(/[`*]/g, '');
}

/** Converts the text of a heading to its anchor as GitHub does, where the same pages are read. */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .replace(/\s/g, '-');
}
