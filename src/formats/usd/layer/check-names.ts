/** Checks the names of binary layers: binary files can contain any text as a name, text files only identifiers. */
import { isIdentifier, isPath, isVariantName, propertyEnd } from './path-syntax.ts';

/** Tests whether a text is an identifier, or several joined by `:`. */
export function isNamespacedName(text: string): boolean {
  return text !== '' && propertyEnd(text, 0) === text.length;
}

function isVariantElement(element: string): boolean {
  const equals = element.indexOf('=');
  if (equals < 0 || !element.endsWith('}')) return false;
  return isIdentifier(element.slice(1, equals)) && isVariantName(element.slice(equals + 1, -1));
}

/** Tests whether an element of a path is valid: the name of a prim or property, `{set=variant}`, `[target]`, `.mapper` and the like. */
export function isPathElement(element: string, isProperty: boolean): boolean {
  if (isProperty) return isNamespacedName(element);
  if (element[0] === '{') return isVariantElement(element);
  if (element[0] === '[') return element.endsWith(']') && isPath(element.slice(1, -1));
  if (element[0] === '.') return isNamespacedName(element.slice(1));
  return isIdentifier(element);
}

/** Types from plug-ins may be C++ names. */
const TYPE_NAME = /^[\p{L}_][\p{L}\p{Nd}_]*(?:::[\p{L}_][\p{L}\p{Nd}_]*)*(?:\[\])?$/u;

/** Words at the start of a statement, where the type of an attribute also is: text files with such a type would mean something else. */
const STATEMENT_WORDS =
  /^(?:def|over|class|variantSet|add|prepend|append|delete|reorder|custom|uniform|config|varying|rel)(?![\p{L}\p{Nd}_])/u;

/** Tests whether a text is the type name of an attribute: `point3f[]`. */
export function isTypeName(text: string): boolean {
  return TYPE_NAME.test(text) && !STATEMENT_WORDS.test(text);
}
