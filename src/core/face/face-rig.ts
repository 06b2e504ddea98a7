/** The face of a character: its morph targets, its expressions, and how its eyes follow a look-at direction. */

/** A node of the file whose mesh has morph targets. */
export interface MorphNode {
  /** Index of the node in the file. */
  readonly node: number;
  /** Name of the node. */
  readonly name: string;
  /** Name of every target; null where the file has none. */
  readonly targetNames: readonly string[] | null;
  /** Default weight of every target. */
  readonly weights: Float64Array;
}

/** A morph target that an expression is bound to. */
export interface FaceBind {
  /** Index of the node in the file. */
  readonly node: number;
  /** Index of the morph target. */
  readonly target: number;
  /** Weight of the target at expression weight 1. */
  readonly weight: number;
}

/** How an expression overrides others of a kind: not at all, completely above weight 0, or in proportion to its weight. */
export type Override = 'none' | 'block' | 'blend';

/** An expression that a file declares. */
export interface FaceExpression {
  /** A preset of VRM 1.0 (also in files of VRM 0.x), or the file's own name. */
  readonly name: string;
  /** Bound morph targets; empty where the expression has none. */
  readonly binds: readonly FaceBind[];
  /** Whether the output is either 0 or 1: 1 above 0.5. */
  readonly isBinary: boolean;
  /** Override of blink, blinkLeft and blinkRight. */
  readonly overrideBlink: Override;
  /** Override of lookUp, lookDown, lookLeft and lookRight. */
  readonly overrideLookAt: Override;
  /** Override of aa, ih, ou, ee and oh. */
  readonly overrideMouth: Override;
  /** Whether it also changes materials or textures, which core glTF cannot animate. */
  readonly changesMaterials: boolean;
}

/** Maps a look-at angle to an angle of the eyes or to a weight: `output · curve(min(angle, inputMax) / inputMax)`. */
export interface RangeMap {
  /** Degrees; larger angles count as this one. */
  readonly inputMax: number;
  /** Rotation of the eyes in degrees, or weight of an expression. */
  readonly output: number;
  /** Keys of a VRM 0.x Hermite curve over 0…1: time, value, in-tangent, out-tangent each; null for a line from 0 to 1. */
  readonly curve: Float64Array | null;
}

/** How the eyes of a character follow a look-at direction: VRMC_vrm-1.0, lookAt.md. */
export interface LookAtRig {
  /** Whether look-at rotates the eye bones or sets the expressions lookUp, lookDown, lookLeft and lookRight. */
  readonly type: 'bone' | 'expression';
  /** For an eye that rotates toward the nose. Unused by expressions. */
  readonly horizontalInner: RangeMap;
  /** For an eye that rotates away from the nose; for lookLeft and lookRight. */
  readonly horizontalOuter: RangeMap;
  /** For both eyes looking down. */
  readonly verticalDown: RangeMap;
  /** For both eyes looking up. */
  readonly verticalUp: RangeMap;
  /** Origin of the look-at direction: xyz in meters, in local axes of the head; null where the file declares none. */
  readonly offsetFromHeadBone: readonly [number, number, number] | null;
}

/** The face of a character. Node indices are those of the file. */
export interface FaceRig {
  /** Nodes with morph targets. */
  readonly morphNodes: readonly MorphNode[];
  /** Declared expressions; empty for files without VRM. */
  readonly expressions: readonly FaceExpression[];
  /** Null where the file does not declare it. */
  readonly lookAt: LookAtRig | null;
}
