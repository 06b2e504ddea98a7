/** Links of the pages: to other pages by their address, to all other files of the repository on GitHub. */
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { addressOf, isPage, pageAt, REPOSITORY, ROOT } from './pages.ts';

/**
 * Returns where a link of a page leads.
 *
 * @param link As in the page: relative to it, with or without an anchor.
 * @param page Path of the page in the repository.
 * @returns An address from the root of the site, or a complete one.
 * @throws Error If there is no such file.
 */
export function resolveLink(link: string, page: string): string {
  if (/^(?:[a-z]+:|#|\/)/.test(link)) return link;
  const [file, anchor] = link.split('#');
  const path = posix.join(posix.dirname(page), file);
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (isPage(path)) return `/${addressOf(path)}${hash}`;
  if (!existsSync(join(ROOT, path))) throw new Error(`${page}: links to ${path}, which does not exist.`);
  return `${REPOSITORY}/blob/main/${path}${hash}`;
}

/** Plugin of markdown-it: resolves the links of a page before VitePress checks them. */
export function links(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('anyrig-links', ({ tokens, env }) => {
    // The search index has the path of the file, the page its address.
    const path = env.relativePath as string | undefined;
    // Titles are parsed alone.
    if (path === undefined) return;
    const page = isPage(path) ? path : pageAt(path.replace(/index\.md$/, ''));
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === 'link_open') token.attrSet('href', resolveLink(token.attrGet('href') ?? '', page));
    }
  });
}
