/** The entries of the package: how much each exports, that docs name it, and that a type name is one type. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { apiPage } from '../../scripts/api-page.ts';
import { declaredSymbol, type Export, isType, readPackageEntries } from '../../scripts/package-entries.ts';

const root = resolve(fileURLToPath(new URL('../..', import.meta.url)));
const MOST_EXPORTS_OF_MAIN = 80;

const read = readPackageEntries();
const { entries, checker } = read;
const docs = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]
  .map((name) => readFileSync(join(root, name), 'utf8'))
  .join('\n');

function isNamedInDocs({ name }: Export): boolean {
  return new RegExp(`(?<![\\w$])${name}(?![\\w$])`).test(docs);
}

/** Types that the declarations of a symbol name: of functions the signature, not the body. */
function namedTypes(symbol: ts.Symbol): ts.Symbol[] {
  const found: ts.Symbol[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node)) return;
    if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node) || ts.isTypeQueryNode(node)) {
      const name = ts.isTypeReferenceNode(node)
        ? node.typeName
        : ts.isTypeQueryNode(node)
          ? node.exprName
          : node.expression;
      const target = checker.getSymbolAtLocation(name);
      if (target !== undefined) found.push(declaredSymbol(target, checker));
    }
    ts.forEachChild(node, visit);
  };
  for (const declaration of symbol.declarations ?? []) visit(declaration);
  return found;
}

describe('entries of the package', () => {
  it('each export something and say what they are for', () => {
    const empty = entries.filter(({ exports, about }) => exports.length === 0 || about === '');
    expect(empty.map(({ name }) => name)).toEqual([]);
  });

  it(`anyrig has at most ${MOST_EXPORTS_OF_MAIN} exports`, () => {
    const main = entries.find(({ name }) => name === 'anyrig');
    expect(main?.exports.length).toBeLessThanOrEqual(MOST_EXPORTS_OF_MAIN);
  });

  it('docs name every export, or a type belongs to an export that docs name', () => {
    const named = entries.flatMap(({ exports }) => exports).filter(isNamedInDocs);
    const reached = new Set(named.map(({ symbol }) => symbol));
    // A set is walked in insertion order, together with what is added on the way.
    for (const symbol of reached) for (const type of namedTypes(symbol)) reached.add(type);
    const missing = entries.flatMap((entry) => {
      return entry.exports.filter(({ symbol }) => !reached.has(symbol)).map(({ name }) => `${entry.name} ${name}`);
    });
    expect(missing).toEqual([]);
  });

  it('a type name that two entries export is the same type', () => {
    const types = new Map<string, ts.Symbol>();
    const clashes: string[] = [];
    for (const entry of entries) {
      for (const { name, symbol } of entry.exports.filter((one) => isType(one.symbol))) {
        const other = types.get(name) ?? symbol;
        if (other !== symbol) clashes.push(`${entry.name} ${name}`);
        types.set(name, other);
      }
    }
    expect(clashes).toEqual([]);
  });

  it('docs/api.md is what the docstrings make it (npx tsx scripts/api-page.ts)', () => {
    expect(readFileSync(join(root, 'docs/api.md'), 'utf8')).toBe(apiPage(read));
  });
});
