/** A model of MikuMikuDance as its file has it: PMX, PMD, or the standard skeleton. Axes are left-handed, +Y up, the model faces −Z; a unit is 8 cm. */
import type { Vec3 } from '../../../core/math/vec3.ts';
import type { Issue } from '../../../core/report/issue.ts';

/** Meters per unit: models of MikuMikuDance are about 20 units tall, Hatsune Miku's 158 cm. */
export const METERS_PER_UNIT = 0.08;

/** Least and greatest angle about each axis, radians. */
export interface AngleLimits {
  readonly least: Vec3;
  readonly greatest: Vec3;
}

/** A bone that IK rotates. */
export interface IkLink {
  readonly bone: number;
  /** Null where it rotates freely. */
  readonly limits: AngleLimits | null;
}

/** IK: rotates the links so that the effector reaches the bone. */
export interface MmdIk {
  readonly effector: number;
  /** Most rounds over all links. */
  readonly loops: number;
  /** Greatest rotation of the first link in a round, radians; twice that of the second link, and so on. */
  readonly angle: number;
  /** From the link next to the effector on. */
  readonly links: readonly IkLink[];
}

/** Adds the movement of another bone to a bone (付与). */
export interface Append {
  readonly source: number;
  readonly ratio: number;
  readonly rotates: boolean;
  readonly moves: boolean;
  /** Whether the movement relative to the model counts, with that of all bones above, instead of that of the source alone. */
  readonly isLocal: boolean;
}

/** A bone. */
export interface MmdBone {
  readonly name: string;
  /** Index of the parent, −1 for none; it may be greater than the bone's own index. */
  readonly parent: number;
  /** Rest position in model space. */
  readonly position: Vec3;
  /** Bones are evaluated by layer, in each layer by index; those after physics last. */
  readonly layer: number;
  readonly isAfterPhysics: boolean;
  readonly append: Append | null;
  /** The only axis that it rotates about; null for all. */
  readonly axis: Vec3 | null;
  readonly ik: MmdIk | null;
}

/** The vertices and triangles of a model. */
export interface MmdMesh {
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  /** v points down. */
  readonly uvs: Float32Array;
  /** Four bones per vertex. */
  readonly bones: Int32Array;
  /** Four weights per vertex. */
  readonly weights: Float32Array;
  readonly indices: Uint32Array;
}

/** A material, which has the next triangles of the mesh. */
export interface MmdMaterial {
  readonly name: string;
  readonly diffuse: readonly [number, number, number, number];
  /** Path of the texture as written; empty without. */
  readonly texture: string;
  readonly isDoubleSided: boolean;
  /** Number of indices. */
  readonly indexCount: number;
}

/** A morph: of vertices, or a group of other morphs. */
export type MmdMorph = { readonly name: string } & (
  | { readonly kind: 'vertex'; readonly vertices: Uint32Array; readonly offsets: Float32Array }
  | { readonly kind: 'group'; readonly parts: readonly { readonly morph: number; readonly weight: number }[] }
  | { readonly kind: 'other' }
);

/** A model. */
export interface MmdModel {
  readonly kind: 'PMX' | 'PMD' | 'standard';
  readonly name: string;
  readonly bones: readonly MmdBone[];
  /** Null without vertices. */
  readonly mesh: MmdMesh | null;
  readonly materials: readonly MmdMaterial[];
  readonly morphs: readonly MmdMorph[];
  readonly issues: readonly Issue[];
}

/** A mesh of some vertices that is filled while they are read. */
export function emptyMesh(vertexCount: number): Omit<MmdMesh, 'indices'> {
  return {
    positions: new Float32Array(3 * vertexCount),
    normals: new Float32Array(3 * vertexCount),
    uvs: new Float32Array(2 * vertexCount),
    bones: new Int32Array(4 * vertexCount),
    weights: new Float32Array(4 * vertexCount),
  };
}
