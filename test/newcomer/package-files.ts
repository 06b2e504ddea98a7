/** Packs the package, and checks what is in it. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inProject } from '../support/documents.ts';
import { runLine } from './project.ts';

/** Links of a document to files, relative to the document. */
function linksOf(text: string): string[] {
  return [...text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(([, link]) => link);
}

/**
 * Packs the package and checks its files: links between documents lead to files that are packed, or to pictures and recipes of the repository, source maps to sources that are packed, and
 * package.json names the repository that npm resolves links with.
 *
 * @param folder Folder for the tarball and its files.
 * @returns Path of the tarball.
 */
export async function checkTarball(folder: string): Promise<string> {
  const { stdout } = await runLine(
    `npm pack --ignore-scripts --loglevel=error --pack-destination ${folder}`,
    inProject(),
  );
  const tarball = join(folder, stdout.trim().split('\n').at(-1) ?? '');
  const packed = join(folder, 'packed');
  mkdirSync(packed, { recursive: true });
  await runLine(`tar xzf ${tarball} --strip-components=1 -C ${packed}`, folder);
  const names = readdirSync(packed, { recursive: true, encoding: 'utf8' });
  const dead = names
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) =>
      linksOf(readFileSync(join(packed, name), 'utf8'))
        .filter((link) => {
          // Pictures and recipes are read on the pages of the repository and the site; the package does not carry them.
          const isElsewhere = /^docs\/(?:images\/|recipes)/.test(join(dirname(name), link));
          return !existsSync(isElsewhere ? join(inProject(), dirname(name), link) : join(packed, dirname(name), link));
        })
        .map((link) => `${name} links to ${link}`),
    );
  const maps = names
    .filter((name) => /\.(?:js|ts)$/.test(name))
    .filter((name) => /^\/\/# sourceMappingURL=(?!data:)/m.test(readFileSync(join(packed, name), 'utf8')))
    .map((name) => `${name} refers to a source map`);
  const { repository } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8')) as { repository?: unknown };
  const missing = repository === undefined ? ['package.json has no repository'] : [];
  const found = [...dead, ...maps, ...names.filter((name) => name.endsWith('.map')), ...missing];
  if (found.length > 0) throw new Error(found.join('\n'));
  return tarball;
}
