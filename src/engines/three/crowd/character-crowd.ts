/** Crowds in three.js: thousands of instanced characters of different proportions that play clips of one source. */

import {
  type AnimationClip,
  type BufferAttribute,
  type DataTexture,
  Group,
  type InstancedBufferGeometry,
  type Material,
  type Matrix4,
  Mesh,
  MeshDepthMaterial,
  RGBADepthPacking,
} from 'three';
import { getOrCreate } from '../../../core/math/get-or-create.ts';
import type { Issue } from '../../../core/report/issue.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { compileClip } from '../../../playback/compile-clip.ts';
import type { CompiledClip } from '../../../playback/compiled-clip.ts';
import { Crowd, type Playhead, type PlayheadOptions } from '../../../playback/crowd/crowd.ts';
import { CROWD_ROWS } from '../../../playback/crowd/crowd-plan.ts';
import { commonBind, planCrowd } from '../../../playback/crowd/plan-crowd.ts';
import type { ThreeHumanoid } from '../create-humanoid.ts';
import { readClip } from '../read-clip.ts';
import { createCrowdGeometry } from './crowd-geometry.ts';
import { type CrowdMaterialFactory, type CrowdTextures, crowdMaterial, floatTexture } from './crowd-material.ts';
import { type CrowdParts, findCrowdParts } from './crowd-parts.ts';

/** Options of {@link CharacterCrowd}. */
export interface CharacterCrowdOptions {
  /** Greatest number of characters. */
  readonly capacity: number;
  /** Greatest number of playheads; 64 by default. */
  readonly playheads?: number;
  /** How materials skin the instances: `crowdNodeMaterial` of `anyrig/three/webgpu` for WebGPURenderer; for WebGLRenderer by default. */
  readonly material?: CrowdMaterialFactory;
}

/** A character of a crowd. */
interface Member {
  readonly model: number;
  /** Instance in the meshes of its model. */
  instance: number;
}

/** A mesh that is drawn once per character of its model. */
type CrowdMesh = Mesh<InstancedBufferGeometry, Material | Material[]>;

/** The instanced meshes of a model, and the characters that their instances show. */
interface ModelMeshes {
  readonly meshes: readonly CrowdMesh[];
  readonly characters: number[];
}

/**
 * Characters of different models that play clips of one source. Each mesh of a model is one instanced draw call: skinned meshes, and rigid ones such as
 * helmets and weapons, which move with the bone above them.
 */
export class CharacterCrowd {
  /** Add it to the scene. Its children are meshes with an instance per character; rays do not hit them. */
  readonly object: Group = new Group();
  /** The crowd on arrays. */
  readonly crowd: Crowd;
  /** What of the models a crowd cannot show. */
  readonly issues: readonly Issue[];
  readonly #source: ThreeHumanoid;
  readonly #deltas: DataTexture;
  readonly #translations: DataTexture;
  readonly #placements: DataTexture;
  readonly #material: CrowdMaterialFactory;
  readonly #models: ModelMeshes[];
  readonly #members: (Member | undefined)[] = [];
  readonly #clips = new Map<AnimationClip, CompiledClip>();

  /**
   * Creates an empty crowd. Visible meshes of the models and their materials are copied.
   *
   * @param source The humanoid of the clips.
   * @param models The humanoids of the characters, with their meshes.
   * @param options Sizes and materials.
   * @throws RangeError If a model cannot be in a crowd: a scale that is not uniform above a bone, or joints that are not nodes of the humanoid.
   * @example
   * const crowd = new CharacterCrowd(createHumanoid(walk.scene), heroes.map((hero) => createHumanoid(hero.scene)), { capacity: 1000 });
   * scene.add(crowd.object);
   * const playhead = crowd.addPlayhead(walk.animations[0]);
   * crowd.add(0, playhead, new Matrix4().makeTranslation(1, 0, 0));
   * // Every frame:
   * crowd.update(delta);
   */
  constructor(source: ThreeHumanoid, models: readonly ThreeHumanoid[], options: CharacterCrowdOptions) {
    const found = models.map(findCrowdParts);
    const { plan, reason } = planCrowd(
      source.humanoid,
      found.map(({ model }) => model),
    );
    if (plan === null) {
      throw new RangeError(`CharacterCrowd: ${reason}. Play this model with a CharacterMixer and a retargeted clip.`);
    }
    if (plan.sources.length > 1) {
      throw new RangeError(
        'CharacterCrowd: the models need different reference poses of the source. Create one crowd for each group of models.',
      );
    }
    const { capacity, playheads = 64, material = crowdMaterial } = options;
    this.#source = source;
    this.issues = found.flatMap(({ issues }) => issues);
    this.#material = material;
    this.crowd = new Crowd(plan, { capacity, playheads });
    this.#deltas = floatTexture(this.crowd.deltas(), 4 * CROWD_ROWS, playheads);
    this.#translations = floatTexture(this.crowd.translations, CROWD_ROWS, capacity);
    this.#placements = floatTexture(new Float32Array(MATRIX_STRIDE * capacity), MATRIX_STRIDE / 4, capacity);
    this.#models = found.map(({ parts }, index) => this.#createMeshes(parts, index));
  }

  #createMeshes(parts: CrowdParts['parts'], index: number): ModelMeshes {
    const target = this.crowd.plan.targets[index];
    const { bindMatrices } = target;
    const { capacity } = this.crowd;
    let binds: DataTexture | null = null;
    const meshes = parts.map((part) => {
      const { mesh, firstJoint, jointCount } = part;
      const end = MATRIX_STRIDE * (firstJoint + jointCount);
      const bindMatrix = commonBind(bindMatrices.subarray(MATRIX_STRIDE * firstJoint, end));
      if (bindMatrix === null) binds ??= floatTexture(bindMatrices, bindMatrices.length / 4, 1);
      const textures: CrowdTextures = {
        deltas: this.#deltas,
        translations: this.#translations,
        placements: this.#placements,
        binds: bindMatrix === null ? binds : null,
      };
      const geometry = createCrowdGeometry({ part, target, bindMatrix, capacity });
      const copyOf = (material: Material): Material => this.#material(material, textures);
      const material = Array.isArray(mesh.material) ? mesh.material.map(copyOf) : copyOf(mesh.material);
      const instanced: CrowdMesh = new Mesh(geometry, material);
      instanced.name = mesh.name;
      instanced.customDepthMaterial = this.#material(
        new MeshDepthMaterial({ depthPacking: RGBADepthPacking }),
        textures,
      );
      geometry.instanceCount = 0;
      // The bounds of the geometry are those of one character in its reference pose.
      instanced.frustumCulled = false;
      // A ray would hit the reference pose of one character at the origin.
      instanced.raycast = () => {};
      this.object.add(instanced);
      return instanced;
    });
    return { meshes, characters: [] };
  }

  /**
   * Adds a playhead.
   *
   * @param clip A clip of the source.
   * @param options Phase, speed, interval.
   * @returns The playhead.
   * @throws RangeError If all playheads are in use.
   */
  addPlayhead(clip: AnimationClip, options: PlayheadOptions = {}): Playhead {
    return this.crowd.addPlayhead(this.compile(clip), options);
  }

  /**
   * Compiles a clip of the source once, for `setClip` of the crowd.
   *
   * @param clip A clip of the source.
   * @returns The compiled clip.
   */
  compile(clip: AnimationClip): CompiledClip {
    return getOrCreate(this.#clips, clip, () => {
      const { humanoid, root, objects } = this.#source;
      const indexOf = new Map(objects.map((object, node) => [object, node]));
      return compileClip(humanoid.skeleton, readClip(clip, root, indexOf).clip);
    });
  }

  /**
   * Adds a character.
   *
   * @param model Index of its model.
   * @param playhead What it plays.
   * @param matrix Where it is: from the canonical frame (facing +Z, up +Y, meters, ground at 0) to the space of `object`.
   * @returns Its index, which stays the same until it is removed.
   * @throws RangeError If the crowd is full, or there is no such model.
   */
  add(model: number, playhead: Playhead, matrix: Matrix4): number {
    const character = this.crowd.add(model, playhead);
    const { meshes, characters } = this.#models[model];
    const instance = characters.push(character) - 1;
    this.#members[character] = { model, instance };
    for (const { geometry } of meshes) geometry.instanceCount = characters.length;
    this.#write(model, instance, character, playhead.index);
    this.setMatrix(character, matrix);
    return character;
  }

  /**
   * Moves a character.
   *
   * @param character Its index.
   * @param matrix From the canonical frame to the space of `object`.
   */
  setMatrix(character: number, matrix: Matrix4): void {
    this.#memberAt(character);
    matrix.toArray(this.#placements.image.data as Float32Array, MATRIX_STRIDE * character);
    this.#placements.needsUpdate = true;
  }

  /**
   * Lets a character follow another playhead.
   *
   * @param character Its index.
   */
  setPlayhead(character: number, playhead: Playhead): void {
    const { model, instance } = this.#memberAt(character);
    this.crowd.setPlayhead(character, playhead);
    this.#write(model, instance, character, playhead.index);
  }

  /**
   * Removes a character. The last instance of its model takes over its index among the instances.
   *
   * @param character Its index.
   */
  remove(character: number): void {
    const { model, instance } = this.#memberAt(character);
    this.crowd.remove(character);
    const { meshes, characters } = this.#models[model];
    const last = characters.length - 1;
    const moved = characters[last];
    characters[instance] = moved;
    characters.pop();
    this.#members[moved] = { model, instance };
    this.#members[character] = undefined;
    for (const { geometry } of meshes) {
      geometry.instanceCount = last;
      const attribute = geometry.attributes['crowdInstance'] as BufferAttribute;
      attribute.setXY(instance, attribute.getX(last), attribute.getY(last));
      attribute.needsUpdate = true;
    }
  }

  /**
   * Moves all playheads on and computes their characters.
   *
   * @param delta Seconds since the last update.
   */
  update(delta: number): void {
    this.crowd.update(delta);
    this.#deltas.needsUpdate = true;
    this.#translations.needsUpdate = true;
  }

  /** Frees textures, geometries and materials. */
  dispose(): void {
    this.#deltas.dispose();
    this.#translations.dispose();
    this.#placements.dispose();
    for (const { meshes } of this.#models) {
      for (const mesh of meshes) {
        mesh.geometry.dispose();
        for (const material of [mesh.material].flat()) material.dispose();
      }
    }
  }

  #memberAt(character: number): Member {
    const member = this.#members[character];
    if (member === undefined) throw new RangeError(`CharacterCrowd: there is no character ${character}.`);
    return member;
  }

  #write(model: number, instance: number, character: number, playhead: number): void {
    for (const mesh of this.#models[model].meshes) {
      const attribute = mesh.geometry.attributes['crowdInstance'] as BufferAttribute;
      attribute.setXY(instance, character, playhead);
      attribute.needsUpdate = true;
    }
  }
}
