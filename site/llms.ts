/** `llms.txt` and `llms-full.txt` (llmstxt.org): the pages for agents, as a list and as one text; and each page as Markdown beside its HTML. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { resolveLink } from './links.ts';
import { addressOf, PACKAGE, SECTIONS, textOf, titleOf } from './pages.ts';

/** Longest description in the list, characters. */
const LONGEST = 240;

/** Returns the first sentences of a page, without Markdown. */
function aboutPage(path: string): string {
  const paragraph = textOf(path)
    .replace(/^```.*?^```/gms, '')
    .split(/\n{2,}/)
    .find((part) => /^[\p{L}`*[]/u.test(part) && !/^[*_![]*!\[/.test(part));
  const words = (paragraph ?? '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(/[*`]/g, '');
  if (words.length <= LONGEST) return words;
  return `${words.slice(0, words.lastIndexOf(' ', LONGEST))} …`;
}

/** Returns a page whose links lead from the root of the server. */
function withAddresses(path: string, base: string): string {
  return textOf(path).replace(/(?<!!)(\[[^\]]*\])\(([^)\s]+)\)/g, (_, words: string, link: string) => {
    return `${words}(${resolveLink(link, path).replace(/^\//, base)})`;
  });
}

/**
 * Writes the texts into the built site.
 *
 * @param folder The built site.
 * @param base Path of the site on its server.
 */
export function writeLlms(folder: string, base: string): void {
  const list = SECTIONS.flatMap(({ title, pages }) => [
    `## ${title}\n`,
    ...pages.map((path) => `- [${titleOf(path)}](${base}${addressOf(path)}index.md): ${aboutPage(path)}`),
    '',
  ]);
  const about =
    'With a shell, begin with `npx anyrig --help` or the skill in `node_modules/anyrig/skills/anyrig/SKILL.md`; without one, use `anyrig mcp`.';
  writeFileSync(join(folder, 'llms.txt'), `# anyrig\n\n> ${PACKAGE.description}\n\n${about}\n\n${list.join('\n')}`);
  const paths = SECTIONS.flatMap(({ pages }) => pages);
  writeFileSync(join(folder, 'llms-full.txt'), `${paths.map((path) => withAddresses(path, base)).join('\n---\n\n')}`);
  for (const path of paths) {
    const file = join(folder, addressOf(path), 'index.md');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, withAddresses(path, base));
  }
}
