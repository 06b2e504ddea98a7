/** Finds exported declarations whose docstring lacks what CONTRIBUTING.md asks for: a sentence, `@param`, `@returns`, `@throws`. */
import ts from 'typescript';

/** A docstring that lacks something. */
export interface DocFinding {
  readonly line: number;
  readonly name: string;
  readonly lacks: string;
}

function isExported(node: ts.Node): boolean {
  return (ts.getCombinedModifierFlags(node as ts.Declaration) & ts.ModifierFlags.Export) !== 0;
}

function docsOf(node: ts.Node): readonly ts.JSDoc[] {
  return ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
}

/** Whether a function throws by a `throw` of its own, not in a function inside it and not caught in it. */
function throwsItself(body: ts.Node): boolean {
  let found = false;
  const visit = (node: ts.Node): void => {
    if (found || ts.isFunctionLike(node)) return;
    if (ts.isThrowStatement(node)) {
      found = true;
      return;
    }
    if (ts.isTryStatement(node) && node.catchClause !== undefined) {
      visit(node.catchClause.block);
      if (node.finallyBlock !== undefined) visit(node.finallyBlock);
      return;
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(body, visit);
  return found;
}

/** Whether a function gives nothing back: its type says so, or it has no `return` with a value. */
function returnsNothing(node: ts.FunctionDeclaration): boolean {
  const type = node.type?.getText();
  if (type !== undefined) return /^(?:void|never|Promise<void>|asserts\b.*)$/.test(type);
  return false;
}

function lintFunction(node: ts.FunctionDeclaration, doc: ts.JSDoc): string[] {
  const tags = doc.tags ?? [];
  const paramNames = tags.flatMap((tag) => (ts.isJSDocParameterTag(tag) ? [tag.name.getText()] : []));
  const params = new Set(paramNames.map((name) => name.split('.')[0]));
  const lacks: string[] = [];
  const names = node.parameters.map(({ name }) => (ts.isIdentifier(name) ? name.text : null));
  const missing = names.filter((name) => name !== null && !params.has(name));
  if (missing.length > 0) lacks.push(`@param ${missing.join(', ')}`);
  else if (params.size < names.length) lacks.push(`@param of a destructured parameter`);
  const unknown = [...params].filter((name) => !names.includes(name));
  if (unknown.length > names.filter((name) => name === null).length)
    lacks.push(`a parameter named ${unknown.join(', ')}`);
  if (!returnsNothing(node) && !tags.some(ts.isJSDocReturnTag)) lacks.push('@returns');
  if (node.body !== undefined && throwsItself(node.body) && !tags.some((tag) => ts.isJSDocThrowsTag(tag)))
    lacks.push('@throws');
  return lacks;
}

/** Finds what the docstrings of the exported declarations of a TypeScript file lack. */
export function lintDocstrings(file: string, source: string): DocFinding[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: DocFinding[] = [];
  const add = (node: ts.Node, name: string, lacks: string): void => {
    found.push({ line: tree.getLineAndCharacterOfPosition(node.getStart()).line + 1, name, lacks });
  };
  for (const node of tree.statements) {
    if (!isExported(node)) continue;
    if (ts.isFunctionDeclaration(node)) {
      // Of overloads each has its docstring; the implementation is not seen from outside.
      const isOverloaded = tree.statements.some(
        (other) =>
          other !== node &&
          ts.isFunctionDeclaration(other) &&
          other.name?.text === node.name?.text &&
          other.body === undefined,
      );
      if (node.body !== undefined && isOverloaded) continue;
      const name = node.name?.text ?? 'default';
      const doc = docsOf(node).at(-1);
      if (doc === undefined) add(node, name, 'a docstring');
      else for (const lacks of lintFunction(node, doc)) add(node, name, lacks);
    } else if (ts.isInterfaceDeclaration(node)) {
      if (docsOf(node).length === 0) add(node, node.name.text, 'a docstring');
      for (const member of node.members) {
        if (docsOf(member).length === 0)
          add(member, `${node.name.text}.${member.name?.getText() ?? '()'}`, 'a docstring');
      }
    } else if (ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node)) {
      if (docsOf(node).length === 0) add(node, node.name?.text ?? 'default', 'a docstring');
    } else if (ts.isVariableStatement(node)) {
      if (docsOf(node).length === 0)
        add(node, node.declarationList.declarations.map(({ name }) => name.getText()).join(', '), 'a docstring');
    }
  }
  return found;
}
