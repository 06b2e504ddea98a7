/** The entries of the package as the TypeScript compiler sees them: which symbols each subpath exports. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = resolve(fileURLToPath(new URL('..', import.meta.url)));

/** One export of an entry. */
export interface Export {
  /** As users import it. */
  readonly name: string;
  /** The declared symbol: re-exports are resolved. */
  readonly symbol: ts.Symbol;
  /** Its docstring; of a namespace the comment at the top of its file. */
  readonly about: string;
}

/** One entry of the package. */
export interface Entry {
  /** As users import it: `anyrig`, `anyrig/gltf` … */
  readonly name: string;
  /** What it exports. */
  readonly exports: readonly Export[];
  /** The comment at the top of its index file. */
  readonly about: string;
}

/** The entries, and the checker that knows their symbols. */
export interface PackageEntries {
  readonly entries: readonly Entry[];
  readonly checker: ts.TypeChecker;
}

interface Condition {
  readonly '@anyrig/source'?: string | { readonly node: string };
}

/** Lists the source files of the entries by name, in the order of package.json. */
function entryFiles(): [string, string][] {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    exports: Record<string, Condition>;
  };
  return Object.entries(manifest.exports).flatMap(([subpath, { '@anyrig/source': source }]): [string, string][] => {
    if (source === undefined) return [];
    return [[subpath.replace('.', 'anyrig'), join(ROOT, typeof source === 'string' ? source : source.node)]];
  });
}

/** Follows an import or re-export to the symbol that is declared. */
export function declaredSymbol(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** Reads the comment at the top of a file. */
function headerOf({ text }: ts.SourceFile): string {
  const comment = /^\/\*\*\s*(?:\* )?([\s\S]*?)\s*\*\//.exec(text)?.[1] ?? '';
  return comment.replace(/\s*\n \* ?/g, ' ');
}

/** Whether a symbol is a type: an interface, a type alias or a class. */
export function isType({ flags }: ts.Symbol): boolean {
  return (flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Class)) !== 0;
}

/** Reads the entries of the package from their sources. */
export function readPackageEntries(): PackageEntries {
  const files = entryFiles();
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} };
  const config = ts.getParsedCommandLineOfConfigFile(join(ROOT, 'tsconfig.json'), {}, host);
  const program = ts.createProgram(
    files.map(([, file]) => file),
    config?.options ?? {},
  );
  const checker = program.getTypeChecker();
  const entries = files.map(([name, file]): Entry => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (source === undefined || module === undefined) throw new Error(`${file} exports nothing`);
    const exports = checker.getExportsOfModule(module).map((alias): Export => {
      const symbol = declaredSymbol(alias, checker);
      const namespace = symbol.declarations?.find(ts.isSourceFile);
      const docs = ts.displayPartsToString(symbol.getDocumentationComment(checker));
      return { name: alias.name, symbol, about: namespace === undefined ? docs : headerOf(namespace) };
    });
    return { name, exports, about: headerOf(source) };
  });
  return { entries, checker };
}
