/**
 * Writes docs/api.md: every name that the package exports, by task, with signatures and the first sentence of each docstring.
 *
 *     npx tsx scripts/api-page.ts
 */
import { writeFileSync } from 'node:fs';
import ts from 'typescript';
import { type Export, type PackageEntries, readPackageEntries } from './package-entries.ts';

const PAGE = new URL('../docs/api.md', import.meta.url);
/** Longest type in a signature, characters. The full reference has longer ones. */
const LONGEST_TYPE = 80;
/** Stands for a longer type. */
const TOO_LONG = '…';

/** Returns the first sentence of a text, on one line, with {@link X} as code. */
function firstSentence(text: string): string {
  const [paragraph] = text.split(/\n\s*(?:\n|- )/);
  const line = paragraph
    .replace(/\{@link ([^}]+?)\s*\}/g, '`$1`')
    .replace(/\s+/g, ' ')
    .trim();
  return /^.*?[.!?](?=\s+[A-Z`]|$)/.exec(line)?.[0] ?? line;
}

/** Writes a type in one line: as its declaration has it, else as the compiler knows it. */
function typeText(type: ts.Type, node: ts.TypeNode | undefined, checker: ts.TypeChecker): string {
  const written = node?.getText().replace(/\s+/g, ' ');
  if (written !== undefined && written.length <= LONGEST_TYPE) return written;
  const text = checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation).replace(/\s+/g, ' ');
  return text.length > LONGEST_TYPE ? TOO_LONG : text;
}

/** Names a parameter; one that is taken apart has the name of its type, or `options`. */
function parameterName({ name, type }: ts.ParameterDeclaration): string {
  if (ts.isIdentifier(name)) return name.text;
  const ofType = type !== undefined && ts.isTypeReferenceNode(type) ? type.typeName.getText() : '';
  return ofType === '' || ofType.endsWith('Options') ? 'options' : ofType[0].toLowerCase() + ofType.slice(1);
}

/** Writes the parameters of a function or a constructor. */
function parameterList({ parameters }: ts.SignatureDeclaration, checker: ts.TypeChecker): string {
  const texts = parameters.map((one) => {
    const isOptional = one.questionToken !== undefined || one.initializer !== undefined;
    const type = typeText(checker.getTypeAtLocation(one), one.type, checker);
    return `${parameterName(one)}${isOptional ? '?' : ''}: ${type}`;
  });
  return texts.join(', ');
}

/** Writes a value as users write it: a call, a class, or a constant with its type. */
function signatureOf({ name, symbol }: Export, checker: ts.TypeChecker): string {
  const declaration = symbol.valueDeclaration;
  if (declaration !== undefined && ts.isFunctionDeclaration(declaration)) {
    const { type, typeParameters } = declaration;
    const result = checker.getSignatureFromDeclaration(declaration)?.getReturnType();
    const generic = typeParameters === undefined ? '' : `<${typeParameters.map((one) => one.getText()).join(', ')}>`;
    const returned = result === undefined ? TOO_LONG : typeText(result, type, checker);
    return `${name}${generic}(${parameterList(declaration, checker)}): ${returned}`;
  }
  if (declaration !== undefined && ts.isClassDeclaration(declaration)) {
    const creation = declaration.members.find(ts.isConstructorDeclaration);
    return creation === undefined ? `class ${name}` : `new ${name}(${parameterList(creation, checker)})`;
  }
  const type = typeText(checker.getTypeOfSymbol(symbol), undefined, checker);
  return type === TOO_LONG ? name : `${name}: ${type}`;
}

/** Lists exports of one entry: values with what they do, then the names of types. */
function listOf(exports: readonly Export[], checker: ts.TypeChecker): string[] {
  const sorted = exports.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const values = sorted.filter(({ isType }) => !isType);
  const types = sorted.filter(({ isType }) => isType);
  const lines = values.map((one) => {
    const mark = one.isExperimental ? '**Experimental.** ' : '';
    return `- \`${signatureOf(one, checker)}\`<br>${mark}${firstSentence(one.about)}`;
  });
  if (types.length > 0) lines.push('', `Types: ${types.map(({ name }) => `\`${name}\``).join(', ')}`);
  return lines;
}

/** Builds the page as Markdown. */
export function apiPage({ entries, checker }: PackageEntries): string {
  const lines = [
    '# API at a glance',
    '',
    'Every name that the package exports, by task. Made by `npx tsx scripts/api-page.ts` from the docstrings; `npm run docs` builds the full reference, with',
    'the members of all types. What is marked experimental may change in any version. A name that two entries have does the same job on the objects of another library.',
    'A type that is not listed is named by its function: `ReturnType<typeof readGeometry>`, `Parameters<typeof mapBones>[1]`.',
    '',
    '| import | |',
    '| --- | --- |',
    ...entries.map(({ name, about }) => `| \`${name}\` | ${about} |`),
  ];
  const groups = new Set(entries.flatMap(({ exports }) => exports.map(({ group }) => group)));
  for (const group of groups) {
    lines.push('', `## ${group}`);
    for (const { name, exports } of entries) {
      const own = exports.filter((one) => one.group === group);
      if (own.length > 0) lines.push('', `From \`${name}\`:`, '', ...listOf(own, checker));
    }
  }
  return `${lines.join('\n')}\n`;
}

if (process.argv[1]?.endsWith('api-page.ts')) writeFileSync(PAGE, apiPage(readPackageEntries()));
