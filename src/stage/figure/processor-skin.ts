/**
 * Skins meshes on the processor. Where WebGL runs on the processor, it runs the skinning shader for most triangles again and reads the joint
 * matrices from a texture: several times slower than skinning each vertex once.
 */
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Matrix4, Mesh, type SkinnedMesh } from 'three';
import { type MorphTarget, morph } from '../../core/deform/morph.ts';
import { skinLinear } from '../../core/deform/skin-linear.ts';
import { planSkin, type SkinPlan } from '../../core/deform/skin-plan.ts';
import type { Vertices } from '../../core/deform/vertices.ts';
import { attributeFloats } from '../../engines/three/read-attribute.ts';
import { nextTask } from '../next-task.ts';
import { createLightIndex } from './light-index.ts';

/** Plans the skin of a mesh; null for influences that the library refuses, which three.js draws in some way. */
function planOf({ geometry, skeleton }: SkinnedMesh): SkinPlan | null {
  const { position, skinIndex, skinWeight } = geometry.attributes;
  if (position === undefined || skinIndex === undefined || skinWeight === undefined) return null;
  const indices = Int32Array.from(attributeFloats(skinIndex, 4));
  const weights = attributeFloats(skinWeight, 4);
  const count = skeleton.bones.length;
  const isValid = indices.every((joint) => joint >= 0 && joint < count) && weights.every(Number.isFinite);
  if (!isValid || skinIndex.count !== position.count) return null;
  return planSkin({ kind: 'vertex', jointsPerVertex: 4, indices, weights }, position.count, count);
}

/** Reads the morph targets of a geometry. */
function targetsOf({ morphAttributes, morphTargetsRelative }: BufferGeometry): MorphTarget[] | null {
  const { position, normal } = morphAttributes;
  const targets = position ?? normal ?? [];
  if (targets.length > 0 && !morphTargetsRelative) return null;
  return targets.map((_, k) => ({
    vertices: null,
    positions: position?.[k] === undefined ? null : attributeFloats(position[k], 3),
    normals: normal?.[k] === undefined ? null : attributeFloats(normal[k], 3),
    tangents: null,
  }));
}

/** A skinned mesh that is drawn as a plain one. */
export class ProcessorSkin {
  /** What is drawn: vertices in world space. Add it anywhere; it has the material of the original. */
  readonly object: Mesh;
  readonly #mesh: SkinnedMesh;
  readonly #plan: SkinPlan;
  readonly #targets: readonly MorphTarget[];
  readonly #rest: Vertices;
  readonly #morphed: Vertices;
  readonly #out: Vertices;
  readonly #skinning: Float64Array;
  readonly #weights: number[];
  readonly #matrix: Matrix4 = new Matrix4();
  /** All triangles, and fewer of them; the same vertices. */
  readonly #full: BufferGeometry;
  #light: BufferGeometry | null = null;

  /** Takes over a mesh. Use {@link createProcessorSkins}. */
  constructor(mesh: SkinnedMesh, plan: SkinPlan, targets: readonly MorphTarget[]) {
    const { index, groups, attributes } = mesh.geometry;
    const { position, normal, skinIndex: _, skinWeight: __, tangent: ___, ...others } = attributes;
    this.#mesh = mesh;
    this.#plan = plan;
    this.#targets = targets;
    this.#rest = {
      positions: attributeFloats(position, 3),
      normals: normal === undefined ? null : attributeFloats(normal, 3),
      tangents: null,
    };
    this.#morphed = targets.length === 0 ? this.#rest : copyOf(this.#rest);
    this.#out = copyOf(this.#rest);
    // No frame has these values: the first update skins.
    this.#skinning = new Float64Array(16 * plan.jointCount).fill(Number.NaN);
    this.#weights = targets.map(() => Number.NaN);
    const geometry = new BufferGeometry().setIndex(index);
    for (const [name, attribute] of Object.entries(others)) geometry.setAttribute(name, attribute);
    geometry.setAttribute('position', dynamic(this.#out.positions as Float32Array));
    if (this.#out.normals !== null) geometry.setAttribute('normal', dynamic(this.#out.normals as Float32Array));
    for (const { start, count, materialIndex } of groups) geometry.addGroup(start, count, materialIndex);
    this.#full = geometry;
    this.object = new Mesh(geometry, mesh.material);
    this.object.name = mesh.name;
    this.object.renderOrder = mesh.renderOrder;
    this.object.frustumCulled = false;
    this.object.matrixAutoUpdate = false;
    this.object.matrixWorldAutoUpdate = false;
  }

  /** Number of triangles. */
  get triangles(): number {
    return (this.#full.index ?? this.#full.attributes['position']).count / 3;
  }

  /** Prepares to draw fewer triangles. Meshes with morph targets keep all, since small triangles matter to their expressions. */
  async lighten(fraction: number): Promise<void> {
    if (fraction >= 1 || this.#targets.length > 0) return;
    const index = await createLightIndex(this.#mesh.geometry, fraction);
    if (index === null) return;
    this.#light = new BufferGeometry().setIndex(index);
    for (const [name, attribute] of Object.entries(this.#full.attributes)) this.#light.setAttribute(name, attribute);
  }

  /** Draws all triangles, or fewer. */
  draw(isLight: boolean): void {
    this.object.geometry = (isLight ? this.#light : null) ?? this.#full;
  }

  /** Frees the geometries. */
  dispose(): void {
    this.#full.dispose();
    this.#light?.dispose();
  }

  /** Skins the mesh to the world matrices of its bones, where these or its morph weights changed. */
  update(): void {
    const { geometry } = this.object;
    const isMoved = this.#takeMatrices();
    if (!this.#takeWeights() && !isMoved) return;
    if (this.#targets.length > 0) morph(this.#targets, this.#weights, this.#rest, this.#morphed);
    skinLinear(this.#plan, this.#skinning, null, this.#morphed, this.#out);
    geometry.attributes['position'].needsUpdate = true;
    if (this.#out.normals !== null) geometry.attributes['normal'].needsUpdate = true;
  }

  /** Computes the matrices from the mesh to the world; returns whether they changed. */
  #takeMatrices(): boolean {
    const { skeleton, bindMatrix } = this.#mesh;
    let isChanged = false;
    for (const [joint, bone] of skeleton.bones.entries()) {
      const { elements } = this.#matrix
        .multiplyMatrices(bone.matrixWorld, skeleton.boneInverses[joint])
        .multiply(bindMatrix);
      for (let k = 0; k < 16; k++) {
        if (this.#skinning[16 * joint + k] === elements[k]) continue;
        this.#skinning[16 * joint + k] = elements[k];
        isChanged = true;
      }
    }
    return isChanged;
  }

  /** Takes over the morph weights; returns whether they changed. */
  #takeWeights(): boolean {
    const influences = this.#mesh.morphTargetInfluences ?? [];
    let isChanged = false;
    for (let k = 0; k < this.#weights.length; k++) {
      if (this.#weights[k] === influences[k]) continue;
      this.#weights[k] = influences[k] ?? 0;
      isChanged = true;
    }
    return isChanged;
  }
}

function copyOf({ positions, normals }: Vertices): Vertices {
  return {
    positions: new Float32Array(positions),
    normals: normals === null ? null : new Float32Array(normals),
    tangents: null,
  };
}

function dynamic(values: Float32Array): BufferAttribute {
  return new BufferAttribute(values, 3).setUsage(DynamicDrawUsage);
}

/** Prepares a skinned mesh to be skinned on the processor. */
export function createProcessorSkin(mesh: SkinnedMesh): ProcessorSkin | null {
  const targets = targetsOf(mesh.geometry);
  const plan = targets === null ? null : planOf(mesh);
  return plan === null || targets === null ? null : new ProcessorSkin(mesh, plan, targets);
}

/** Prepares meshes to be skinned on the processor, each in a task of its own. */
export async function createProcessorSkins(meshes: readonly Mesh[]): Promise<ReadonlyMap<Mesh, ProcessorSkin>> {
  const skins = new Map<Mesh, ProcessorSkin>();
  for (const mesh of meshes) {
    if ((mesh as Partial<SkinnedMesh>).isSkinnedMesh !== true) continue;
    const skin = createProcessorSkin(mesh as SkinnedMesh);
    if (skin !== null) skins.set(mesh, skin);
    await nextTask();
  }
  return skins;
}
