/** The entries of the package as the TypeScript compiler sees them: which symbols each subpath exports. */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = resolve(fileURLToPath(new URL('..', import.meta.url)));

/** One export of an entry. */
export interface Export {
  /** As users import it. */
  readonly name: string;
  /** The declared symbol: re-exports are resolved. */
  readonly symbol: ts.Symbol;
  /** Its docstring. */
  readonly about: string;
  /** The task that it is for: the line comment above its export in the entry. */
  readonly group: string;
  /** Whether users can only name it as a type: a class that the package creates counts as one. */
  readonly isType: boolean;
  /** Whether it may still change: `@experimental`. */
  readonly isExperimental: boolean;
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
function declaredSymbol(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** Reads the comment at the top of a file. */
function headerOf({ text }: ts.SourceFile): string {
  const comment = /^\/\*\*\s*(?:\* )?([\s\S]*?)\s*\*\//.exec(text)?.[1] ?? '';
  return comment.replace(/\s*\n \* ?/g, ' ');
}

/** Finds the task of each export: the last `// Task` line above it in the entry, or in a file that the entry re-exports whole. */
function groupsOf(source: ts.SourceFile, program: ts.Program): Map<string, string> {
  const groups = new Map<string, string>();
  let group = '';
  for (const statement of source.statements) {
    const ranges = ts.getLeadingCommentRanges(source.text, statement.pos) ?? [];
    const comments = ranges.filter(({ kind }) => kind === ts.SyntaxKind.SingleLineCommentTrivia);
    for (const { pos, end } of comments) group = source.text.slice(pos + 2, end).trim();
    if (ts.isFunctionDeclaration(statement)) groups.set(statement.name?.text ?? '', group);
    if (!ts.isExportDeclaration(statement)) continue;
    if (statement.exportClause !== undefined && ts.isNamedExports(statement.exportClause)) {
      for (const { name } of statement.exportClause.elements) groups.set(name.text, group);
    } else if (statement.moduleSpecifier !== undefined && ts.isStringLiteral(statement.moduleSpecifier)) {
      const whole = program.getSourceFile(resolve(dirname(source.fileName), statement.moduleSpecifier.text));
      if (whole !== undefined) for (const [name, own] of groupsOf(whole, program)) groups.set(name, own);
    }
  }
  return groups;
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
    const groups = groupsOf(source, program);
    const exports = checker.getExportsOfModule(module).map((alias): Export => {
      const symbol = declaredSymbol(alias, checker);
      const about = ts.displayPartsToString(symbol.getDocumentationComment(checker));
      const isExperimental = symbol.getJsDocTags(checker).some((tag) => tag.name === 'experimental');
      const isTypeOnly = alias.declarations?.some(ts.isTypeOnlyImportOrExportDeclaration) ?? false;
      const hasValue = (symbol.flags & ts.SymbolFlags.Value) !== 0;
      return {
        ...{ name: alias.name, symbol, about, group: groups.get(alias.name) ?? '', isExperimental },
        isType: isTypeOnly || !hasValue,
      };
    });
    return { name, exports, about: headerOf(source) };
  });
  return { entries, checker };
}
