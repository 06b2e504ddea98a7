/** Identifies prims with the same data: those of instances of one prototype. */
import { opinionsAt, type Site } from '../stage/prim-index.ts';
import { primAt, type Stage } from '../stage/stage.ts';

/** Tests whether a site was introduced by an arc at the given namespace depth, or is below such a site. */
function isOfPrototype(site: Site, namespaceDepth: number): boolean {
  for (let at: Site | null = site; at !== null; at = at.parent)
    if (at.arc.namespaceDepth === namespaceDepth) return true;
  return false;
}

/**
 * Returns a path that is equal for all prims whose named properties have the same values: the path of the prim in the first instance of its
 * prototype. An instance with a local opinion on one of the properties shares with no other prim.
 *
 * @param stage - The composed stage.
 * @param path - Path of the prim.
 * @param properties - Names of the properties.
 * @returns The shared path, or `path` itself.
 */
export function sharedPath(stage: Stage, path: string, properties: readonly string[]): string {
  const prim = primAt(stage, path);
  if (prim === null || prim.prototype === null) return path;
  if (!prim.isInstance) return prim.prototype;
  const namespaceDepth = path.split('/').length - 1;
  const isOwn = properties.some((name) =>
    opinionsAt(prim.sites, name).some(({ site }) => !isOfPrototype(site, namespaceDepth)),
  );
  return isOwn ? path : prim.prototype;
}
