/** Which prims have the same data: those of instances of one prototype. */
import { opinionsAt, type Site } from '../stage/prim-index.ts';
import { primAt, type Stage } from '../stage/stage.ts';

/** Whether a site is there by an arc of the prim whose path has `level` names, or below such a site. */
function isOfPrototype(site: Site, level: number): boolean {
  for (let at: Site | null = site; at !== null; at = at.parent) if (at.arc.namespaceDepth === level) return true;
  return false;
}

/**
 * A path that is the same for all prims whose properties of these names have the same values: that of the prim in the first instance of its prototype. An
 * instance that says something about one of them itself shares with nobody.
 */
export function sharedPath(stage: Stage, path: string, properties: readonly string[]): string {
  const prim = primAt(stage, path);
  if (prim === null || prim.prototype === null) return path;
  if (!prim.isInstance) return prim.prototype;
  const level = path.split('/').length - 1;
  const isOwn = properties.some((name) => opinionsAt(prim.sites, name).some(({ site }) => !isOfPrototype(site, level)));
  return isOwn ? path : prim.prototype;
}
