/** The work of composing a scene, counted: what asks for too much ends by what it asks for, whatever the machine. */
import { FormatError } from '../../../core/report/format-error.ts';

/** Work in steps, each about as long as looking up a name. */
export interface CompositionBudget {
  spent: number;
  readonly limit: number;
  /** Sites of the prim that is being composed. */
  primSites: number;
}

/** Scenes spend 25 steps for a prim that one place speaks about, and 10 to 15 for each further place. */
const STEPS_PER_PRIM = 40;
/** More places that speak about one prim are an attack. */
const MAX_SITES = 3000;
/** What a site takes, and looking up what is said there, beside its layers and path. */
const SITE_STEPS = 10;
const LOOK_STEPS = 3;
/** Characters of a path that are put together in a step. */
const CHARACTERS = 32;

/** Nothing done yet, of what so many prims may take. */
export function createBudget(prims: number): CompositionBudget {
  return { spent: 0, limit: STEPS_PER_PRIM * prims, primSites: 0 };
}

/** Counts steps. USD_LIMIT for more than a scene may take. */
export function spendSteps(work: CompositionBudget, steps: number): void {
  work.spent += steps;
  if (work.spent > work.limit) {
    throw new FormatError(
      'USD_LIMIT',
      'References, other arcs and lists ask for far more than scenes of so many prims do; open a part of it, or allow more with maxPrims',
    );
  }
}

/** Counts a place that speaks about the prim that is being composed. USD_LIMIT for a hostile number of them. */
export function countSite(work: CompositionBudget, path: string): void {
  work.primSites++;
  if (work.primSites > MAX_SITES) {
    throw new FormatError('USD_LIMIT', `More than ${MAX_SITES} references or other arcs make up ${path}`);
  }
  spendSteps(work, SITE_STEPS);
}

/** Counts looking up a path in so many layers. USD_LIMIT for more than a scene may take. */
export function countLookups(work: CompositionBudget, layers: number, path: string): void {
  spendSteps(work, LOOK_STEPS + layers + path.length / CHARACTERS);
}
