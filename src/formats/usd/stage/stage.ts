/** A stage: what layers make together. Read-only; its values are those of the layers, not copies. */
import type { Issue } from '../../../core/report/issue.ts';
import type { ClipSet } from './value-clips/clip-set.ts';
import type { Site } from './prim-index.ts';

/** A composed prim. Also prims that are inactive or only spoken of (`over`) are there; see `isActive`, `isDefined` and `isAbstract`. */
export interface Prim {
  /** On the stage: `/Hero/Body`. */
  readonly path: string;
  readonly name: string;
  /** Path of the prim above; `/` for the uppermost. */
  readonly parent: string;
  /** Names of the prims below, in order; none below an inactive prim. */
  readonly children: readonly string[];
  /** Empty when no layer gives one. */
  readonly typeName: string;
  readonly specifier: 'def' | 'over' | 'class';
  readonly isActive: boolean;
  /** `def` or `class`, and so all above. */
  readonly isDefined: boolean;
  /** `class`, or below one. */
  readonly isAbstract: boolean;
  /** Applied API schemas, with the names of instances of schemas: `CollectionAPI:lights`. */
  readonly apiSchemas: readonly string[];
  /** Whether what is below comes from its arcs only and is shared with all instances of the same. */
  readonly isInstance: boolean;
  /** Whether it is below an instance. */
  readonly isInstanceProxy: boolean;
  /**
   * Of an instance and of what is below: the path of the same prim in the first instance of the same prototype, which may be the prim itself. Its
   * attributes have the same values; inherited bindings and transforms may differ. Null for all other prims.
   */
  readonly prototype: string | null;
  /** The chosen variants by variant set. */
  readonly variants: ReadonlyMap<string, string>;
  /** Names of the properties that layers speak of, without those that only a schema knows. */
  readonly properties: readonly string[];
  /** Where it is spoken of, strongest first. */
  readonly sites: readonly Site[];
}

/** Units, axes and times of a stage, in the words of its root layer, with OpenUSD's fallbacks. */
export interface StageMetrics {
  readonly upAxis: 'Y' | 'Z';
  /** 0.01 (centimeters) where nothing is said. */
  readonly metersPerUnit: number;
  readonly timeCodesPerSecond: number;
  readonly startTimeCode: number | null;
  readonly endTimeCode: number | null;
  /** Path of the default prim; null without one, or when it is not there. */
  readonly defaultPrim: string | null;
  /** Which of upAxis and metersPerUnit the file says itself. */
  readonly isUpAxisAuthored: boolean;
  readonly isMetersPerUnitAuthored: boolean;
}

export interface Stage {
  /** All prims, each before those below it, siblings in order; without the pseudo-root. */
  readonly prims: readonly Prim[];
  readonly primsByPath: ReadonlyMap<string, Prim>;
  /** Names of the uppermost prims. */
  readonly children: readonly string[];
  readonly metrics: StageMetrics;
  /** Value clips by the path of the prim that has them, the strongest set first. */
  readonly clipSets: ReadonlyMap<string, readonly ClipSet[]>;
  /** How values between time samples are made. */
  readonly interpolation: 'linear' | 'held';
  /** What was odd in all layers that were opened, and in how they fit together. */
  readonly issues: readonly Issue[];
}

/** A time code of the stage, or the time without time: default values only. */
export type Time = number | 'default';

/** The prim at a path; null when there is none. */
export function primAt(stage: Stage, path: string): Prim | null {
  return stage.primsByPath.get(path) ?? null;
}

/** The path that stands for a prim in all instances of the same: that in the first one, or its own; see `Prim.prototype`. */
export function prototypePath(stage: Stage, path: string): string {
  return primAt(stage, path)?.prototype ?? path;
}

/** The prims right below a prim, or below the root (`/`), in order. */
export function childrenOf(stage: Stage, path: string): Prim[] {
  const names = path === '/' ? stage.children : (primAt(stage, path)?.children ?? []);
  return names.flatMap((name) => primAt(stage, path === '/' ? `/${name}` : `${path}/${name}`) ?? []);
}

/** The prim and all above it, from below. */
export function primAndAncestors(stage: Stage, path: string): Prim[] {
  const chain: Prim[] = [];
  for (let prim = primAt(stage, path); prim !== null; prim = primAt(stage, prim.parent)) chain.push(prim);
  return chain;
}

/** Whether a prim is there to be used: active, defined, not a class. What renderers and skinning look at. */
export function isUsable(prim: Prim): boolean {
  return prim.isActive && prim.isDefined && !prim.isAbstract;
}
