/**
 * Types of the report about the UsdSkel content of a stage, plain JSON data. Matrices are 16 numbers row by row for row vectors, as in USD files (the
 * same 16 numbers as glTF's columns). Flags are 1 and 0 where OpenUSD's tools print them so.
 */
import type { Issue } from '../../../../core/report/issue.ts';

/** Matrices, points or normals: one row each. */
export type NumberRows = readonly (readonly number[])[];

/**
 * 1: true; 0: false.
 *
 * @inline
 */
type Flag = 0 | 1;

/** A prim at a time, after blend shapes and skinning. */
export interface SkelPrimReport {
  /** Path of the prim. */
  readonly prim: string;
  /** Weights in the order of its blend shapes; omitted if the animation has none for it. */
  readonly primWeights?: readonly number[];
  /** Weights of the applied shapes, including in-betweens. */
  readonly subShapeWeights?: readonly number[];
  /** Index of the blend shape, per applied shape. */
  readonly blendShapeIndices?: readonly number[];
  /** Index among all shapes of the prim, per applied shape. */
  readonly subShapeIndices?: readonly number[];
  /** 1 if the prim was skinned; omitted if it declares no influences. */
  readonly skinOk?: Flag;
  /** Matrix of a rigidly skinned prim to skeleton space. */
  readonly skinnedXform?: readonly number[];
  /** Points in skeleton space if joints deform them, else in the space of the prim. */
  readonly points: NumberRows;
  /** One per point or face corner; omitted if none deform, empty without points. */
  readonly normals?: NumberRows;
}

/** A skeleton at a time. Joint matrices are omitted if a bind or rest pose is missing. */
export interface SkelSampleReport {
  /** Time code, or `default` for default values. */
  readonly t: number | 'default';
  /** Joint space to the space of the parent joint. */
  readonly local?: NumberRows;
  /** Joint space to skeleton space. */
  readonly skel?: NumberRows;
  /** Bind pose to skeleton space. */
  readonly skinning?: NumberRows;
  /** Joint space to the space of the parent joint, relative to the rest pose. */
  readonly restRelative?: NumberRows;
  /** Weights in the order of the blend shapes of the animation; omitted without. */
  readonly weights?: readonly number[];
  /** The bound prims at this time. */
  readonly prims: readonly SkelPrimReport[];
}

/** A prim that is bound to a skeleton. */
export interface SkelTargetReport {
  /** Path of the prim. */
  readonly prim: string;
  /** 1 if the prim declares valid joint influences. */
  readonly hasInfluences: Flag;
  /** 1 if one set of influences applies to the whole prim, or it has no influences. */
  readonly rigid: Flag;
  /** Influences per point. */
  readonly n: number;
  /** Skinning method. */
  readonly method: string;
  /** GeomBindTransform. */
  readonly geomBind: readonly number[];
  /** 1 if the prim has blend shapes. */
  readonly hasBlendShapes: Flag;
  /** Joint order of the prim; omitted if it has none. */
  readonly joints?: readonly string[];
  /** Names of its blend shapes; omitted without. */
  readonly blendShapes?: readonly string[];
}

/** A Skeleton with its animation and bound prims. */
export interface SkelBindingReport {
  /** Path of the Skeleton. */
  readonly skeleton: string;
  /** False if a joint comes before its parent; then nothing is computed. */
  readonly valid: boolean;
  /** Joint paths. */
  readonly joints: readonly string[];
  /** Nearest ancestor joint; −1 for roots. */
  readonly parents: readonly number[];
  /** True if the bind pose is valid. */
  readonly hasBind: boolean;
  /** True if the rest pose is valid. */
  readonly hasRest: boolean;
  /** Path of the SkelAnimation; null: the rest pose. */
  readonly anim: string | null;
  /** Joints of the animation in its order; omitted without an animation. */
  readonly animJoints?: readonly string[];
  /** Blend shapes of the animation in its order; omitted without an animation. */
  readonly blendShapes?: readonly string[];
  /** How the joints of the animation map to those of the skeleton (UsdSkelAnimMapper); omitted without an animation. */
  readonly mapper?: {
    /** 1 if both orders are equal. */
    readonly identity: Flag;
    /** 1 if some joints of the skeleton are missing in the animation and keep the rest pose. */
    readonly sparse: Flag;
    /** 1 if one of the orders is empty. */
    readonly null: Flag;
  };
  /** Time codes of the samples of the animation. */
  readonly times: readonly number[];
  /** The bound prims. */
  readonly targets: readonly SkelTargetReport[];
  /** The skeleton at a few times; empty if not requested. */
  readonly samples: readonly SkelSampleReport[];
}

/** The UsdSkel content of a stage. */
export interface UsdSkelReport {
  /** File name. */
  readonly file: string;
  /** Up axis of the stage. */
  readonly upAxis: 'Y' | 'Z';
  /** Time codes per second. */
  readonly tcps: number;
  /** First time code; 0 if not authored. */
  readonly start: number;
  /** Last time code; 0 if not authored. */
  readonly end: number;
  /** The outermost SkelRoot prims with their bindings. */
  readonly roots: readonly {
    /** Path of the SkelRoot. */
    readonly path: string;
    /** Its skeletons with their animations and bound prims. */
    readonly bindings: readonly SkelBindingReport[];
  }[];
  /** Messages of the issues. */
  readonly messages: readonly string[];
  /** Issues of the stage and its UsdSkel content, each once. */
  readonly issues: readonly Issue[];
}
