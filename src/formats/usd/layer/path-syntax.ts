/** Validates identifiers, variant names and paths. */

const START = /[\p{L}\p{Nl}_]/u;
const PART = /[\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}]/u;
const VARIANT_PART = /^[\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}|-]$/u;

/** Returns the character at an index, of two code units outside the basic plane; empty at the end. */
function charAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}

function isAscii(code: number, asPart: boolean): boolean {
  const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
  return isLetter || (asPart && code >= 48 && code <= 57);
}

export function identifierEnd(text: string, start: number, isInner = false): number {
  let at = start;
  for (;;) {
    const asPart = at > start || isInner;
    const code = text.charCodeAt(at);
    if (code < 128) {
      if (!isAscii(code, asPart)) return at;
      at++;
      continue;
    }
    const char = charAt(text, at);
    if (char === '' || !(asPart ? PART : START).test(char)) return at;
    at += char.length;
  }
}

export function isIdentifier(text: string): boolean {
  return text !== '' && identifierEnd(text, 0) === text.length;
}

/** Finds the end of a name with namespaces: `primvars:skel:jointIndices`. */
export function propertyEnd(text: string, start: number): number {
  let at = identifierEnd(text, start);
  while (at > start && text[at] === ':') {
    const next = identifierEnd(text, at + 1, true);
    if (next === at + 1) return at;
    at = next;
  }
  return at;
}

/** Tests whether a text is a valid variant name: letters, digits, `_`, `|` and `-`, after at most one dot. */
export function isVariantName(text: string): boolean {
  for (let at = text[0] === '.' ? 1 : 0; at < text.length; ) {
    const char = charAt(text, at);
    if (!VARIANT_PART.test(char)) return false;
    at += char.length;
  }
  return true;
}

/** Tests whether a text can select a variant: its name, or a variable expression in backticks. */
export function isVariantSelection(text: string): boolean {
  return isVariantName(text) || /^`.*`$/s.test(text);
}

/** Finds the end of `{set=variant}`; −1 if it is invalid. */
function variantEnd(text: string, start: number): number {
  const equals = text.indexOf('=', start);
  const end = text.indexOf('}', start);
  if (equals < 0 || end < equals) return -1;
  const isValid =
    isIdentifier(text.slice(start + 1, equals).trim()) && isVariantName(text.slice(equals + 1, end).trim());
  return isValid ? end + 1 : -1;
}

/** Finds the end of the prim part of a path: `/A/B{look=red}C`, `../B`, `.`; −1 if it is invalid. */
function primsEnd(text: string): number {
  let at = text[0] === '/' ? 1 : 0;
  if (at === 1 && text.length === 1) return 1;
  // Only relative paths have `..`, and only before all names.
  let isAbove = at === 0;
  for (;;) {
    if (isAbove && text.startsWith('..', at)) at += 2;
    else {
      isAbove = false;
      let end = identifierEnd(text, at);
      // A property of the anchor prim, `.x`, or of an ancestor, `../.x`.
      if (end === at) return text[at] === '.' && (at === 0 || text.startsWith('../', at - 3)) ? at : -1;
      while (text[end] === '{') {
        end = variantEnd(text, end);
        if (end < 0) return -1;
        end = identifierEnd(text, end);
      }
      at = end;
    }
    if (text[at] !== '/') return at;
    at++;
  }
}

/** Tests whether a text is a path of a prim or a property, absolute or relative, with or without variants. */
export function isPath(text: string): boolean {
  if (text === '' || text === '.') return true;
  let at = primsEnd(text);
  if (at < 0) return false;
  while (at < text.length) {
    if (text[at] !== '.' || (at === 1 && text[0] === '/')) return false;
    const end = propertyEnd(text, at + 1);
    if (end === at + 1) return false;
    at = end;
    // A relationship target, which may have attributes.
    if (text[at] === '[') {
      at = text.indexOf(']', at) + 1;
      if (at === 0) return false;
    } else if (at < text.length) return text[at] === '.' && /^\.(?:expression|mapper)\b/.test(text.slice(at));
  }
  return true;
}
