/**
 * What a stage has of UsdSkel as plain JSON data. Matrices are 16 numbers row by row of row vectors, as files of USD have them (the 16 numbers of
 * glTF's columns); 1 and 0 stand for yes and no where tools that print OpenUSD's own answers have them so.
 */
import type { Issue } from '../../../core/report/issue.ts';

/** Matrices, points or normals. */
export type NumberRows = readonly (readonly number[])[];

type Flag = 0 | 1;

/** A prim at a time, after blend shapes and skinning. */
export interface SkelPrimReport {
  readonly prim: string;
  /** Weights in the order of its blend shapes; left out where none reach it. */
  readonly primWeights?: readonly number[];
  /** The shapes that these come to, in-betweens included: weight, index of the blend shape, index among all shapes of the prim. */
  readonly subShapeWeights?: readonly number[];
  readonly blendShapeIndices?: readonly number[];
  readonly subShapeIndices?: readonly number[];
  /** Whether joints have moved it; left out where they are not asked to. */
  readonly skinOk?: Flag;
  /** Of a rigid prim: its matrix into the space of the skeleton. */
  readonly skinnedXform?: readonly number[];
  /** In the space of the skeleton where joints have moved them, else of the prim. */
  readonly points: NumberRows;
  /** One a point or one a face corner; left out where none deform, empty where there are no points. */
  readonly normals?: NumberRows;
}

/** A skeleton at a time. Matrices of joints are left out where a pose that they need is missing. */
export interface SkelSampleReport {
  /** Time code, or the default values. */
  readonly t: number | 'default';
  /** Joint to parent joint. */
  readonly local?: NumberRows;
  /** Joint to skeleton. */
  readonly skel?: NumberRows;
  /** Bind pose to skeleton. */
  readonly skinning?: NumberRows;
  /** Joint to parent joint, relative to the rest pose. */
  readonly restRelative?: NumberRows;
  /** Weights in the order of the blend shapes of the animation; left out without. */
  readonly weights?: readonly number[];
  readonly prims: readonly SkelPrimReport[];
}

/** A prim that is bound to a skeleton. */
export interface SkelTargetReport {
  readonly prim: string;
  readonly hasInfluences: Flag;
  /** Whether one run of influences moves the whole prim; also where there are none. */
  readonly rigid: Flag;
  /** Influences a point. */
  readonly n: number;
  readonly method: string;
  readonly geomBind: readonly number[];
  readonly hasBlendShapes: Flag;
  /** Its own joint order, where it has one. */
  readonly joints?: readonly string[];
  readonly blendShapes?: readonly string[];
}

/** A Skeleton with its animation and all that is bound to it. */
export interface SkelBindingReport {
  readonly skeleton: string;
  /** Without that, nothing is computed: joints come before their parents. */
  readonly valid: boolean;
  readonly joints: readonly string[];
  /** The nearest ancestor that is a joint; −1 for roots. */
  readonly parents: readonly number[];
  readonly hasBind: boolean;
  readonly hasRest: boolean;
  /** Path of the SkelAnimation; null: the rest pose. */
  readonly anim: string | null;
  /** With an animation only: what it moves, in its order, and how its joints map to those of the skeleton. */
  readonly animJoints?: readonly string[];
  readonly blendShapes?: readonly string[];
  readonly mapper?: { readonly identity: Flag; readonly sparse: Flag; readonly null: Flag };
  /** Time codes at which the animation has samples. */
  readonly times: readonly number[];
  readonly targets: readonly SkelTargetReport[];
  readonly samples: readonly SkelSampleReport[];
}

/** Everything of UsdSkel on a stage. */
export interface UsdSkelReport {
  readonly file: string;
  readonly upAxis: 'Y' | 'Z';
  /** Time codes a second. */
  readonly tcps: number;
  /** Time codes; 0 where the file does not say. */
  readonly start: number;
  readonly end: number;
  /** The outermost SkelRoot prims with their skeletons. */
  readonly roots: readonly { readonly path: string; readonly bindings: readonly SkelBindingReport[] }[];
  /** The issues as sentences. */
  readonly messages: readonly string[];
  readonly issues: readonly Issue[];
}
