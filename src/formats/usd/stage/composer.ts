/** What composing prims needs to know, and the bounds of it. */
import { FormatError } from '../../../core/report/format-error.ts';
import type { LayerOffset } from '../layer/layer.ts';
import type { LayerSource, LayerStack } from './layer-stack.ts';
import { type Arc, makeSite, type Site } from './site.ts';

/** What composing needs to know and counts. */
export interface Composer {
  readonly source: LayerSource;
  /** Which variant is taken where none is chosen. */
  readonly variantFallback: 'none' | 'first';
  /** Sites of the prim that is being composed. */
  sites: number;
}

/** More places that speak about one prim are an attack. */
const MAX_SITES = 3000;

/** Counts places that speak about a prim. USD_LIMIT for a hostile number of them. */
export function countSites(composer: Composer, count: number, path: string): void {
  composer.sites += count;
  if (composer.sites > MAX_SITES) {
    throw new FormatError('USD_LIMIT', `More than ${MAX_SITES} references or other arcs make up ${path}`);
  }
}

/** {@link makeSite}, counted. */
export function addSite(
  composer: Composer,
  parent: Site,
  stack: LayerStack,
  path: string,
  arc: Arc,
  offset: LayerOffset,
): Site {
  countSites(composer, 1, arc.to);
  return makeSite(stack, path, arc, parent, offset);
}
