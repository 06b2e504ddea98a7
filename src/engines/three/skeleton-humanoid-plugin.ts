/** EXT_skeleton_humanoid for the GLTFLoader of three.js. */
import type { Object3D } from 'three';
import type { GLTF, GLTFLoaderPlugin, GLTFParser } from 'three/addons/loaders/GLTFLoader.js';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import type { Issue } from '../../core/report/issue.ts';
import { EXT_SKELETON_HUMANOID } from '../../formats/gltf/extensions/ext-skeleton-humanoid.ts';
import type { FileHumanoid } from '../../formats/gltf/extensions/human-bones.ts';
import { bodyOfDefinition, definedOn, type PortableMotion, readFileHumanoids } from '../scene/file-humanoids.ts';
import { type Character, declaredHumanoidOf, type ThreeHumanoid, targetOf } from './humanoid-of.ts';
import { performOn, type RetargetClipOptions, type RetargetedClip } from './retarget-clip.ts';

/** A motion by bones, which belongs to no model. */
export interface HumanoidClip {
  readonly name: string;
  /** Seconds. */
  readonly duration: number;
  /** The body that it moves: bones alone. */
  readonly humanoid: Humanoid;
  /**
   * The clip for a character, whatever its bones are called and however they stand.
   *
   * @throws RangeError where there is no humanoid or several, and for options that make no sense.
   */
  bindTo(target: Character, options?: Omit<RetargetClipOptions, 'source'>): RetargetedClip;
}

/** What the plugin puts into `gltf.userData`. */
export interface SkeletonHumanoidData {
  /** The humanoids that the file defines, in its order; null for one that cannot be used. */
  readonly humanoids: readonly (ThreeHumanoid | null)[];
  readonly humanoidClips: readonly HumanoidClip[];
  /** What was odd about the extension in this file. */
  readonly humanoidIssues: readonly Issue[];
}

function clipOf({ name, duration, humanoid, clip }: PortableMotion): HumanoidClip {
  return {
    name,
    duration,
    humanoid,
    bindTo: (target, options = {}) =>
      performOn(targetOf(target, options.target ?? {}), { humanoid, clip }, duration, options),
  };
}

/** The objects of the nodes of a file. Where a node was instantiated several times, the first. */
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

function topOf(object: Object3D): Object3D {
  let top = object;
  while (top.parent !== null) top = top.parent;
  return top;
}

function humanoidOfFile(
  defined: FileHumanoid,
  objects: ReadonlyMap<number, Object3D>,
  issues: Issue[],
): ThreeHumanoid | null {
  const first = [...defined.nodes].flatMap((node) => objects.get(node) ?? []).at(0);
  return bodyOfDefinition(defined, issues, () => {
    if (first === undefined) throw new RangeError('none of its bones is in a scene');
    return declaredHumanoidOf(topOf(first), (indexOf) =>
      definedOn(defined, (node) => indexOf.get(objects.get(node) as Object3D) ?? -1),
    );
  });
}

/**
 * Reads EXT_skeleton_humanoid: `loader.register((parser) => new SkeletonHumanoidPlugin(parser))`. A loaded file then has `humanoids`,
 * `humanoidClips` and `humanoidIssues` in its `userData` ({@link SkeletonHumanoidData}). Humanoid channels are not in `gltf.animations`:
 * they animate no object before they are bound to a character.
 */
export class SkeletonHumanoidPlugin implements GLTFLoaderPlugin {
  readonly name = EXT_SKELETON_HUMANOID;
  readonly #parser: GLTFParser;

  constructor(parser: GLTFParser) {
    this.#parser = parser;
  }

  async afterRoot(gltf: GLTF): Promise<void> {
    const parser = this.#parser;
    const readBuffer = async (index: number): Promise<Uint8Array> =>
      new Uint8Array((await parser.getDependency('buffer', index)) as ArrayBuffer);
    const decoder = (parser.options as { meshoptDecoder?: Parameters<typeof readFileHumanoids>[2] }).meshoptDecoder;
    const { defined, motions, issues } = await readFileHumanoids(parser.json, readBuffer, decoder ?? null);
    const found = [...issues];
    const objects = objectsOf(gltf, parser);
    const data: SkeletonHumanoidData = {
      humanoids: defined.map((one) => humanoidOfFile(one, objects, found)),
      humanoidClips: motions.map(clipOf),
      humanoidIssues: found,
    };
    Object.assign(gltf.userData, data);
  }
}
