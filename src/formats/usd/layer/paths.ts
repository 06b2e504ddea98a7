/** Paths of prims and properties: `/A/B.points`, `/A{look=red}B`. */

/** Where the property part of a path starts; its length without one. Dots in variant names do not count. */
function propertyStart(path: string): number {
  const lastElement = Math.max(path.lastIndexOf('/'), path.lastIndexOf('}'));
  const dot = path.indexOf('.', lastElement + 1);
  // `..` and `../x` are steps up.
  return dot < 0 || path.startsWith('..', dot) ? path.length : dot;
}

/** The prim that a path is of or is: `/A/B.points` → `/A/B`. */
export function primPathOf(path: string): string {
  const prim = path.slice(0, propertyStart(path));
  return prim === '' && path.startsWith('/') ? '/' : prim;
}

/** The name of the property that a path is of; empty for prims. */
export function propertyNameOf(path: string): string {
  return path.slice(propertyStart(path) + 1);
}

/** The path of a child prim. `parent` may be a variant: `/A{look=red}` has the child `/A{look=red}B`. */
export function childPath(parent: string, name: string): string {
  return parent === '/' || parent.endsWith('}') ? `${parent}${name}` : `${parent}/${name}`;
}

/** The path of a property of a prim or variant. */
export function propertyPath(prim: string, name: string): string {
  return `${prim}.${name}`;
}

/** The path without variants: where its prim is once the variant is chosen. */
export function stripVariantSelections(path: string): string {
  if (!path.includes('{')) return path;
  return path
    .replace(/\{[^}]*\}(?=[^/.{]|$)/g, (_, at: number) => (at + _.length < path.length ? '/' : ''))
    .replace(/\{[^}]*\}/g, '');
}

/** The path above; empty above the root. Of `/A{look=red}B` it is `/A{look=red}`, of a property its prim. */
export function parentPath(path: string): string {
  const property = propertyStart(path);
  if (property < path.length) return primPathOf(path);
  if (path === '/') return '';
  if (path.endsWith('}')) return path.slice(0, path.lastIndexOf('{'));
  const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('}') + 1);
  return path.slice(0, cut) || '/';
}

/** The last name of a path of a prim. */
export function nameOfPath(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('}')) + 1);
}

/**
 * A path as written, made absolute at the prim that it stands on (variants left out). Empty stays empty; steps above the root are null: there
 * is nothing there.
 */
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
