/**
 * Builds the site into site/dist: the reference, the pages, the studio, and the texts for agents. Any web server can serve the folder.
 *
 *     npx vite build studio && npx tsx site/build.ts [--base /anyrig/]
 */
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'vitepress';
import { noticeOf } from '../scripts/third-party-page.ts';
import { builtFiles, writeServiceWorker } from '../studio/build/offline.ts';
import { writeLlms } from './llms.ts';
import { ROOT } from './pages.ts';
import { writeReference } from './reference.ts';

/** Packages whose code is in the pages, besides those of the studio. */
const SHOWN = ['@vue/shared', '@vueuse/core', 'focus-trap', 'mark.js', 'minisearch', 'tabbable', 'vitepress', 'vue'];

const { values } = parseArgs({ options: { base: { type: 'string', default: '/' } } });
const studio = join(ROOT, 'dist/studio');
const out = join(ROOT, 'site/dist');
if (!existsSync(studio)) throw new Error('dist/studio is missing. Build the studio first: npx vite build studio');

await writeReference();
await build(join(ROOT, 'site'), { base: values.base });
cpSync(studio, join(out, 'studio'), { recursive: true, filter: (path) => !path.endsWith('.vite') });

// The tools work offline after the first visit of one of them; chunks of the other pages and of the search are not theirs.
const TOOLS = ['fbx-to-vrma', 'bvh-to-glb', 'retarget', 'inspect'];
const isOther = (file: string): boolean =>
  /@localSearchIndex|\.md\.[^/]*\.js$/.test(file) && !TOOLS.some((tool) => file.startsWith(`assets/${tool}_`));
const kept = builtFiles(out).filter(
  (file) => /^(?:assets\/.*\.(?:js|css|wasm|woff2)|logo\.svg|vp-icons\.css)$/.test(file) && !isOther(file),
);
const toolPages = TOOLS.map((tool) => `${tool}/`);
writeServiceWorker(out, kept, toolPages);

writeLlms(out, values.base);
const notices = SHOWN.map((name) => `# ${name}\n\n${noticeOf(name) ?? ''}\n`);
writeFileSync(
  join(out, 'third-party.txt'),
  `${notices.join('\n')}\n${readFileSync(join(ROOT, 'THIRD-PARTY.md'), 'utf8')}`,
);
