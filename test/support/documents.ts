/** Reads README and docs: their code, command lines and links. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(fileURLToPath(new URL('../..', import.meta.url)));

/** File names in the docs, and the demo files they stand for. The docs also use `walk.fbx`, see make/demo-fbx.ts, and `dance.vmd` and `dancer.pmx`, see make/mmd-files.ts. */
export const DOCUMENT_FILES: Readonly<Record<string, string>> = {
  'walk.glb': 'walk.glb',
  'wave.vrma': 'wave.vrma',
  'turn.bvh': 'turn.bvh',
  'avatar.vrm': 'child.vrm',
  'old-avatar.vrm': 'chibi.vrm',
  'hero.glb': 'unreal.glb',
  'odd-rig.glb': 'odd-axes.glb',
};

/** A path inside the project. */
export function inProject(...parts: string[]): string {
  return join(root, ...parts);
}

/** The text of a document of the project. */
export function documentText(path: string): string {
  return readFileSync(inProject(path), 'utf8');
}

/** Blocks of a language in a document: `ts` runs in Node, `ts browser` in a page (test/newcomer/). */
export function blocks(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, block]) => block);
}

/** A command line of a document, and its expected exit code. */
export interface CommandLine {
  readonly line: string;
  /** From its comment `# exit 2: why`; 0 without a comment. */
  readonly exit: number;
}

/** The command lines of anyrig in a document. */
export function commandLines(text: string): CommandLine[] {
  return blocks(text, 'sh')
    .flatMap((block) => block.split('\n'))
    .filter((line) => line.startsWith('anyrig '))
    .map((line) => ({ line, exit: Number(/#.*\bexit (\d)/.exec(line)?.[1] ?? 0) }));
}

/** Paths inside the project that a document links to or names as code, relative to the project. */
export function namedPaths(path: string): string[] {
  const text = documentText(path);
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.';
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(([, link]) => join(folder, link));
  const named = [...text.matchAll(/`((?:test|scripts|src|docs)\/[\w./-]+)`/g)].map(([, code]) => code);
  return [...links, ...named];
}
