import type { Object3D } from 'three';
import type { GLTF, GLTFLoaderPlugin, GLTFParser } from 'three/addons/loaders/GLTFLoader.js';
import type { Issue } from '../../core/report/issue.ts';
import { EXT_SKELETON_HUMANOID } from '../../formats/gltf/extensions/ext-skeleton-humanoid.ts';
import type { FileHumanoid } from '../../formats/gltf/extensions/human-bones.ts';
import {
  type BindableClip,
  type CanonicalMotion,
  readGltfHumanoids,
  resolveDefinition,
  tryDefinition,
} from '../scene/read-gltf-humanoids.ts';
import { createDeclaredHumanoid, resolveTarget, type ThreeCharacter, type ThreeHumanoid } from './create-humanoid.ts';
import { type RetargetClipOptions, type RetargetedThreeClip, retargetMotionTo } from './retarget-animation-clip.ts';

type ThreeHumanoidClip = BindableClip<ThreeCharacter, RetargetClipOptions, RetargetedThreeClip>;

/** Data that the plugin adds to `gltf.userData`. */
export interface ThreeHumanoidData {
  /** The humanoids that the file defines, in file order; null for one that is not usable. */
  readonly humanoids: readonly (ThreeHumanoid | null)[];
  /** The humanoid clips, one per animation with humanoid channels. */
  readonly humanoidClips: readonly ThreeHumanoidClip[];
  /** What was invalid or skipped in the extension. */
  readonly humanoidIssues: readonly Issue[];
}

function toHumanoidClip({ name, duration, humanoid, clip }: CanonicalMotion): ThreeHumanoidClip {
  return {
    name,
    duration,
    humanoid,
    bindTo: (target, options = {}) =>
      retargetMotionTo(resolveTarget(target, options.target ?? {}), { humanoid, clip }, duration, options),
  };
}

/** Maps each node of the file to its object, the first when the node has several instances. */
function objectsOf({ scenes }: GLTF, { associations }: GLTFParser): Map<number, Object3D> {
  const objects = new Map<number, Object3D>();
  for (const scene of scenes) {
    scene.traverse((object) => {
      const node = associations.get(object)?.nodes;
      if (node !== undefined && !objects.has(node)) objects.set(node, object);
    });
  }
  return objects;
}

function topmostObject(object: Object3D): Object3D {
  let top = object;
  while (top.parent !== null) top = top.parent;
  return top;
}

function createFileHumanoid(
  definition: FileHumanoid,
  objects: ReadonlyMap<number, Object3D>,
  issues: Issue[],
): ThreeHumanoid | null {
  const first = [...definition.nodes].flatMap((node) => objects.get(node) ?? []).at(0);
  return tryDefinition(definition, issues, () => {
    if (first === undefined)
      throw new RangeError('none of its bones is in a scene; add its nodes to a scene of the file');
    return createDeclaredHumanoid(topmostObject(first), (indexOf) =>
      resolveDefinition(definition, (node) => indexOf.get(objects.get(node) as Object3D) ?? -1),
    );
  });
}

/**
 * Reads EXT_skeleton_humanoid in GLTFLoader. A loaded file then has `humanoids`, `humanoidClips` and `humanoidIssues` in its `userData`
 * ({@link ThreeHumanoidData}). Humanoid channels are not in `gltf.animations`: bind them to a character first.
 *
 * @example
 * const loader = new GLTFLoader().register((parser) => new SkeletonHumanoidPlugin(parser));
 * const { humanoidClips } = (await loader.loadAsync('clips.glb')).userData as ThreeHumanoidData;
 * const { clip } = humanoidClips[0].bindTo(hero.scene);
 */
export class SkeletonHumanoidPlugin implements GLTFLoaderPlugin {
  /** Name of the extension. */
  readonly name = EXT_SKELETON_HUMANOID;
  readonly #parser: GLTFParser;

  /** @param parser The parser that GLTFLoader passes to `register`. */
  constructor(parser: GLTFParser) {
    this.#parser = parser;
  }

  /**
   * Adds the data to a loaded file. GLTFLoader calls it.
   *
   * @param gltf The loaded file.
   */
  async afterRoot(gltf: GLTF): Promise<void> {
    const parser = this.#parser;
    const readBuffer = async (index: number): Promise<Uint8Array> =>
      new Uint8Array((await parser.getDependency('buffer', index)) as ArrayBuffer);
    const decoder = (parser.options as { meshoptDecoder?: Parameters<typeof readGltfHumanoids>[2] }).meshoptDecoder;
    const { definitions, motions, issues } = await readGltfHumanoids(parser.json, readBuffer, decoder ?? null);
    const found = [...issues];
    const objects = objectsOf(gltf, parser);
    const data: ThreeHumanoidData = {
      humanoids: definitions.map((one) => createFileHumanoid(one, objects, found)),
      humanoidClips: motions.map(toHumanoidClip),
      humanoidIssues: found,
    };
    Object.assign(gltf.userData, data);
  }
}
