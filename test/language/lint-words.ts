/** Finds banned words in names, comments, messages, test titles and docs. */
import ts from 'typescript';
import { BANNED_WORDS } from './words.ts';

/** A banned word where it was found. */
export interface WordFinding {
  readonly line: number;
  readonly text: string;
  readonly instead: string;
}

/** Splits a name into lower-case words: `hangOnBones`, `JOINTS_HUNG` and `hang-joints` alike. */
export function wordsOfName(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== '');
}

/** Lists what to say instead for each banned word of a name. */
export function lintName(name: string): string[] {
  const words = wordsOfName(name);
  return BANNED_WORDS.filter(({ identifiers }) => identifiers.some((word) => words.includes(word))).map(
    ({ instead }) => instead,
  );
}

/** Source of a pattern in which every blank matches any white space. */
function spaced(pattern: RegExp): string {
  return pattern.source.replaceAll(' ', '\\s+');
}

/** Finds the banned words of a text, a finding per line and word. Only prose is checked: not code between backticks, nor names of files. */
export function lintProse(text: string, firstLine = 1): WordFinding[] {
  const found: WordFinding[] = [];
  // A comment wraps its sentences: line breaks and the stars before them count as spaces of the same sentence.
  // `document.body` in code blocks is a name of the DOM.
  const prose = text
    .replace(
      /`[^`\n]*`|\bdocument\.body\b|[\w{}*-]+\.(?:glb|gltf|vrma?|bvh|fbx|usd[acz]?|svg|json)\b|--[\w-]+ [\w-]+/g,
      (code) => ' '.repeat(code.length),
    )
    .replace(/\n[ \t]*(?:\*(?!\/)|\/\/)?/g, (run) => `\n${' '.repeat(run.length - 1)}`);
  for (const { prose: pattern, instead } of BANNED_WORDS) {
    if (pattern === null) continue;
    for (const match of prose.matchAll(new RegExp(spaced(pattern), `g${pattern.flags}`))) {
      const line = firstLine + prose.slice(0, match.index).split('\n').length - 1;
      found.push({ line, text: match[0], instead });
    }
  }
  return found;
}

/** The text of a string or template as one line, with a blank for what is inserted. */
function literalText(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(' … ');
  return null;
}

/** A string literal is a sentence, not a key or a name, when it has at least two blanks between words. */
function isSentence(text: string): boolean {
  return /[A-Za-z]+[,;:]? \S+ \S+/.test(text);
}

/** Returns whether a file could have findings: a quick check of its whole text, without parsing it. */
function mayHaveFindings(source: string, areNamesChecked: boolean): boolean {
  const prose = source.replace(/\\n|\n[ \t]*(?:\*(?!\/)|\/\/)?/g, ' ');
  const isInProse = BANNED_WORDS.some(
    ({ prose: pattern }) => pattern !== null && new RegExp(spaced(pattern), pattern.flags).test(prose),
  );
  if (isInProse || !areNamesChecked) return isInProse;
  const words = new Set(wordsOfName(source));
  return BANNED_WORDS.some(({ identifiers }) => identifiers.some((word) => words.has(word)));
}

/** Finds the banned words of a TypeScript file: declared names, comments and sentences in strings. `scope`: `code` skips strings, `titles` checks only the titles of tests. */
export function lintSource(file: string, source: string, scope: 'all' | 'code' | 'titles' = 'all'): WordFinding[] {
  if (!mayHaveFindings(source, scope !== 'titles')) return [];
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number): number => tree.getLineAndCharacterOfPosition(position).line + 1;
  const found: WordFinding[] = [];
  const comments = new Set<number>();
  const visitComments = (node: ts.Node): void => {
    for (const range of ts.getLeadingCommentRanges(source, node.getFullStart()) ?? []) {
      if (comments.has(range.pos)) continue;
      comments.add(range.pos);
      found.push(...lintProse(source.slice(range.pos, range.end), lineOf(range.pos)));
    }
  };
  const visit = (node: ts.Node): void => {
    if (scope !== 'titles') {
      visitComments(node);
      const name = (node as ts.NamedDeclaration).name;
      const isDeclared =
        name !== undefined &&
        ts.isIdentifier(name) &&
        !ts.isImportSpecifier(node) &&
        !ts.isPropertyAccessExpression(node);
      // A property assignment may fill an object of another library; its own declaration is checked where it is ours.
      if (isDeclared && !ts.isPropertyAssignment(node) && !ts.isShorthandPropertyAssignment(node)) {
        for (const instead of lintName(name.text))
          found.push({ line: lineOf(name.getStart()), text: name.text, instead });
      }
      const text = scope === 'all' ? literalText(node) : null;
      if (text !== null && isSentence(text))
        found.push(
          ...lintProse(text.replaceAll('\n', ' '), lineOf(node.getStart())).map((one) => ({
            ...one,
            line: lineOf(node.getStart()),
          })),
        );
    } else if (
      ts.isCallExpression(node) &&
      /^(?:it|test|describe)\b/.test(node.expression.getText()) &&
      node.arguments.length > 0
    ) {
      const text = literalText(node.arguments[0]);
      if (text !== null) found.push(...lintProse(text).map((one) => ({ ...one, line: lineOf(node.getStart()) })));
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}
