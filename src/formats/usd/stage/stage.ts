/** Defines composed stages. They are read-only; values belong to the layers. */
import type { Issue } from '../../../core/report/issue.ts';
import type { Site } from './prim-index.ts';
import type { ClipSet } from './value-clips/clip-set.ts';

/** A composed prim. Stages include inactive, undefined (`over`) and abstract prims; see `isActive`, `isDefined` and `isAbstract`. */
export interface Prim {
  /** Path on the stage, such as `/Hero/Body`. */
  readonly path: string;
  /** Last name of the path. */
  readonly name: string;
  /** Path of the parent; `/` for root prims. */
  readonly parent: string;
  /** Names of the children, in order; empty for inactive prims. */
  readonly children: readonly string[];
  /** Schema type; empty if no layer authors one. */
  readonly typeName: string;
  /** The composed specifier. */
  readonly specifier: 'def' | 'over' | 'class';
  /** False for deactivated prims. */
  readonly isActive: boolean;
  /** True if the prim and all its ancestors have the specifier `def` or `class`. */
  readonly isDefined: boolean;
  /** True if the prim or an ancestor has the specifier `class`. */
  readonly isAbstract: boolean;
  /** Applied API schemas, including instance names: `CollectionAPI:lights`. */
  readonly apiSchemas: readonly string[];
  /** True if the descendants come only from composition arcs and are shared with other instances of the same prototype. */
  readonly isInstance: boolean;
  /** True for descendants of instances. */
  readonly isInstanceProxy: boolean;
  /**
   * For instances and their descendants: path of the same prim in the first instance of the prototype, possibly its own path. Its attributes have the
   * same values; inherited bindings and transforms may differ. Null for other prims.
   */
  readonly prototype: string | null;
  /** Selected variants by variant set. */
  readonly variants: ReadonlyMap<string, string>;
  /** Names of the authored properties. Properties that only a schema defines are missing. */
  readonly properties: readonly string[];
  /**
   * The sites with opinions, strongest first.
   *
   * @internal
   */
  readonly sites: readonly Site[];
}

/** Units, up axis and times of a stage from its root layer, with OpenUSD's fallbacks. */
export interface StageMetrics {
  /** Fallback: Y. */
  readonly upAxis: 'Y' | 'Z';
  /** Fallback: 0.01 (centimeters). */
  readonly metersPerUnit: number;
  /** Fallback: `framesPerSecond`, else 24. */
  readonly timeCodesPerSecond: number;
  /** Null if not authored. */
  readonly startTimeCode: number | null;
  /** Null if not authored. */
  readonly endTimeCode: number | null;
  /** Path of the default prim; null if it is not authored or does not exist. */
  readonly defaultPrim: string | null;
  /** True if the root layer has an opinion on upAxis. */
  readonly isUpAxisAuthored: boolean;
  /** True if the root layer has a valid opinion on metersPerUnit. */
  readonly isMetersPerUnitAuthored: boolean;
}

/** A composed stage. */
export interface Stage {
  /** All prims, parents first, siblings in order; without the pseudo-root. */
  readonly prims: readonly Prim[];
  /** The prims by path. */
  readonly primsByPath: ReadonlyMap<string, Prim>;
  /** Names of the root prims. */
  readonly children: readonly string[];
  /** Units, up axis and times. */
  readonly metrics: StageMetrics;
  /**
   * Clip sets by the path of the prim that declares them, strongest first.
   *
   * @internal
   */
  readonly clipSets: ReadonlyMap<string, readonly ClipSet[]>;
  /** Interpolation between time samples. */
  readonly interpolation: 'linear' | 'held';
  /** Issues of all opened layers and of their composition. */
  readonly issues: readonly Issue[];
}

/** A time code of the stage; `default` reads default values only, as UsdTimeCode::Default does. */
export type Time = number | 'default';

/** Finds the prim at a path. Returns the prim; null if it does not exist. */
export function primAt(stage: Stage, path: string): Prim | null {
  return stage.primsByPath.get(path) ?? null;
}

/** Returns a path that is equal for the same prim in all instances of a prototype: its path in the first instance. See `Prim.prototype`. */
export function prototypePath(stage: Stage, path: string): string {
  return primAt(stage, path)?.prototype ?? path;
}

export function childrenOf(stage: Stage, path: string): Prim[] {
  const names = path === '/' ? stage.children : (primAt(stage, path)?.children ?? []);
  return names.flatMap((name) => primAt(stage, path === '/' ? `/${name}` : `${path}/${name}`) ?? []);
}

export function primAndAncestors(stage: Stage, path: string): Prim[] {
  const chain: Prim[] = [];
  for (let prim = primAt(stage, path); prim !== null; prim = primAt(stage, prim.parent)) chain.push(prim);
  return chain;
}

/** Tests whether a prim is active, defined and not abstract, as renderers and skinning require (UsdPrimDefaultPredicate). */
export function isUsable(prim: Prim): boolean {
  return prim.isActive && prim.isDefined && !prim.isAbstract;
}
