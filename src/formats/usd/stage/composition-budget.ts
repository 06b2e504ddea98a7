/** Limits the budget of composing a scene by counted steps, so that hostile files fail in the same way on every machine. */
import { FormatError } from '../../../core/report/format-error.ts';

/** Counted budget. One step takes about as long as a lookup of a name. */
export interface CompositionBudget {
  spent: number;
  readonly limit: number;
  primSites: number;
}

/** Typical scenes spend 25 steps per prim with one site, and 10 to 15 per further site. */
const STEPS_PER_PRIM = 40;
const MAX_SITES = 3000;
/** Steps per site, in addition to the lookups. */
const SITE_STEPS = 10;
/** Steps per lookup, in addition to the layers and the path. */
const LOOKUP_STEPS = 3;
/** Characters of paths and messages per step. */
export const CHARACTERS_PER_STEP = 32;

export function createBudget(prims: number): CompositionBudget {
  return { spent: 0, limit: STEPS_PER_PRIM * prims, primSites: 0 };
}

export function spendSteps(budget: CompositionBudget, steps: number): void {
  budget.spent += steps;
  if (budget.spent > budget.limit) {
    throw new FormatError(
      'USD_LIMIT',
      'Composition arcs and lists of the scene require far more budget than its prims do. Open a part of the scene, or pass a larger maxPrims',
    );
  }
}

export function countSite(budget: CompositionBudget, path: string): void {
  budget.primSites++;
  if (budget.primSites > MAX_SITES) {
    throw new FormatError(
      'USD_LIMIT',
      `The prim ${path} is composed from more than ${MAX_SITES} sites; expected fewer references and other arcs`,
    );
  }
  spendSteps(budget, SITE_STEPS);
}

export function countLookups(budget: CompositionBudget, layers: number, path: string): void {
  spendSteps(budget, LOOKUP_STEPS + layers + path.length / CHARACTERS_PER_STEP);
}
