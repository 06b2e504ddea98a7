/** The face of a character: its morph targets, the expressions that are made of them, and how its eyes look somewhere. */

/** A node of the file whose mesh has morph targets. */
export interface MorphNode {
  readonly node: number;
  readonly name: string;
  /** Name of every target; null where the file has none. */
  readonly targetNames: readonly string[] | null;
  /** Weight of every target when nothing animates it. */
  readonly weights: Float64Array;
}

/** A morph target that takes part in an expression. */
export interface FaceBind {
  /** Node of the file. */
  readonly node: number;
  /** Index of the target. */
  readonly target: number;
  /** Weight of the target when that of the expression is 1. */
  readonly weight: number;
}

/** What an expression does to others of a kind: nothing, off as soon as it is on, or less the more it is on. */
export type Override = 'none' | 'block' | 'blend';

/** An expression that a file declares. */
export interface FaceExpression {
  /** A preset of VRM 1.0 (also in files of VRM 0.x), or the file's own name. */
  readonly name: string;
  readonly binds: readonly FaceBind[];
  /** Whether it is on or off, on above 0.5. */
  readonly isBinary: boolean;
  readonly overrideBlink: Override;
  readonly overrideLookAt: Override;
  readonly overrideMouth: Override;
  /** Whether it changes materials or textures too, which no animation of core glTF can. */
  readonly changesMaterials: boolean;
}

/** How an angle of the gaze becomes one of the eyes, or a weight: `output · curve(min(angle, inputMax) / inputMax)`. */
export interface RangeMap {
  /** Degrees. */
  readonly inputMax: number;
  /** Degrees of the eyes, or weight of an expression. */
  readonly output: number;
  /** Keys of a Hermite curve over 0…1 (time, value, in-tangent, out-tangent each), as VRM 0.x has it; null for a line from 0 to 1. */
  readonly curve: Float64Array | null;
}

/** How the eyes follow the gaze: VRMC_vrm-1.0, lookAt.md. */
export interface GazeRig {
  /** What moves: the bones of the eyes, or the expressions lookUp, lookDown, lookLeft, lookRight. */
  readonly type: 'bone' | 'expression';
  /** An eye towards the nose, and away from it; expressions use the second. */
  readonly horizontalInner: RangeMap;
  readonly horizontalOuter: RangeMap;
  readonly verticalDown: RangeMap;
  readonly verticalUp: RangeMap;
  /** Where the eyes look from: xyz from the head, in its local axes, meters; null where the file does not say. */
  readonly offsetFromHeadBone: readonly [number, number, number] | null;
}

/** Everything about the face of a character. Nodes are those of the file. */
export interface FaceRig {
  readonly morphNodes: readonly MorphNode[];
  readonly expressions: readonly FaceExpression[];
  /** Null where the file says nothing about it. */
  readonly gaze: GazeRig | null;
}
