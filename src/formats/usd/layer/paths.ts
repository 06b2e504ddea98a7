/** Splits and joins paths of prims and properties: `/A/B.points`, `/A{look=red}B`. */

/** Finds the dot before the property name; the length of the path for prims. Dots in variant names are skipped. */
function propertyStart(path: string): number {
  const lastElement = Math.max(path.lastIndexOf('/'), path.lastIndexOf('}'));
  const dot = path.indexOf('.', lastElement + 1);
  // `..` and `../x` lead to the parent.
  return dot < 0 || path.startsWith('..', dot) ? path.length : dot;
}

/** Returns the prim part of a path: `/A/B.points` → `/A/B`. */
export function primPathOf(path: string): string {
  const prim = path.slice(0, propertyStart(path));
  return prim === '' && path.startsWith('/') ? '/' : prim;
}

export function propertyNameOf(path: string): string {
  return path.slice(propertyStart(path) + 1);
}

export function childPath(parent: string, name: string): string {
  return parent === '/' || parent.endsWith('}') ? `${parent}${name}` : `${parent}/${name}`;
}

export function propertyPath(prim: string, name: string): string {
  return `${prim}.${name}`;
}

/** Removes the variant selections of a path. The result is the path of the prim once the variants are selected. */
export function stripVariantSelections(path: string): string {
  if (!path.includes('{')) return path;
  return path
    .replace(/\{[^}]*\}(?=[^/.{]|$)/g, (_, at: number) => (at + _.length < path.length ? '/' : ''))
    .replace(/\{[^}]*\}/g, '');
}

/** Returns the parent of a path: the prim of a property, `/A{look=red}` for `/A{look=red}B`. */
export function parentPath(path: string): string {
  const property = propertyStart(path);
  if (property < path.length) return primPathOf(path);
  if (path === '/') return '';
  if (path.endsWith('}')) return path.slice(0, path.lastIndexOf('{'));
  const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('}') + 1);
  return path.slice(0, cut) || '/';
}

export function nameOfPath(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('}')) + 1);
}

/** Makes a path absolute. Returns the absolute path; null if the path leads above the root. */
export function absolutePath(path: string, anchor: string): string | null {
  if (path === '' || path.startsWith('/')) return path;
  if (path === '.') return stripVariantSelections(anchor);
  const prim = primPathOf(path);
  const property = path.slice(prim.length);
  const elements = stripVariantSelections(anchor) === '/' ? [] : stripVariantSelections(anchor).slice(1).split('/');
  for (const element of prim === '' ? [] : prim.split('/')) {
    if (element === '') continue;
    if (element !== '..') elements.push(element);
    else if (elements.pop() === undefined) return null;
  }
  if (elements.length === 0) return property === '' ? '/' : null;
  return `/${elements.join('/')}${property}`;
}
