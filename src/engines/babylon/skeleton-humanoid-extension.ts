/** EXT_skeleton_humanoid for the glTF loader of Babylon.js. */
import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import type { GLTFLoader } from '@babylonjs/loaders/glTF/2.0/glTFLoader.js';
import type { IGLTFLoaderExtension } from '@babylonjs/loaders/glTF/2.0/glTFLoaderExtension.js';
import {
  registerGLTFExtension,
  unregisterGLTFExtension,
} from '@babylonjs/loaders/glTF/2.0/glTFLoaderExtensionRegistry.js';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import type { Issue } from '../../core/report/issue.ts';
import { EXT_SKELETON_HUMANOID } from '../../formats/gltf/extensions/ext-skeleton-humanoid.ts';
import type { FileHumanoid } from '../../formats/gltf/extensions/human-bones.ts';
import { bodyOfDefinition, definedOn, type PortableMotion, readFileHumanoids } from '../scene/file-humanoids.ts';
import { type BabylonHumanoid, type Character, declaredHumanoidOf, targetOf } from './humanoid-of.ts';
import { DEFAULT_FPS, performOn, type RetargetedGroup, type RetargetGroupOptions } from './retarget-animation-group.ts';

/** A motion by bones, which belongs to no model. */
export interface HumanoidClip {
  readonly name: string;
  /** Seconds. */
  readonly duration: number;
  /** The body that it moves: bones alone. */
  readonly humanoid: Humanoid;
  /**
   * The group for a character, whatever its bones are called and however they stand; 60 frames a second.
   *
   * @throws RangeError where there is no humanoid or several, and for options that make no sense.
   */
  bindTo(target: Character, options?: Omit<RetargetGroupOptions, 'source'>): RetargetedGroup;
}

/** What the extension finds in a file. */
export interface SkeletonHumanoidData {
  /** `__root__` of the file; null where it has no nodes, as files of clips alone have none. */
  readonly root: TransformNode | null;
  /** The humanoids that the file defines, in its order; null for one that cannot be used. */
  readonly humanoids: readonly (BabylonHumanoid | null)[];
  readonly humanoidClips: readonly HumanoidClip[];
  /** What was odd about the extension in this file. */
  readonly humanoidIssues: readonly Issue[];
}

function clipOf({ name, duration, humanoid, clip }: PortableMotion): HumanoidClip {
  const range = { fps: DEFAULT_FPS, from: 0, to: duration * DEFAULT_FPS };
  return {
    name,
    duration,
    humanoid,
    bindTo: (target, options = {}) =>
      performOn(targetOf(target, options.target ?? {}), { humanoid, clip }, range, options),
  };
}

function humanoidOfFile(defined: FileHumanoid, loader: GLTFLoader, issues: Issue[]): BabylonHumanoid | null {
  const { rootBabylonMesh: root, gltf } = loader;
  return bodyOfDefinition(defined, issues, () => {
    if (root === null) throw new RangeError('the file has no root');
    return declaredHumanoidOf(root, (indexOf) =>
      definedOn(defined, (node) => {
        const loaded = gltf.nodes?.[node]?._babylonTransformNode;
        return loaded === undefined ? -1 : (indexOf.get(loaded) ?? -1);
      }),
    );
  });
}

async function readData(loader: GLTFLoader): Promise<SkeletonHumanoidData> {
  const { gltf, bin, rootBabylonMesh } = loader;
  const readBuffer = async (index: number): Promise<Uint8Array> => {
    const buffer = gltf.buffers?.[index];
    const view =
      buffer?.uri === undefined
        ? await bin?.readAsync(0, bin.byteLength)
        : await loader.loadUriAsync(`/buffers/${index}/uri`, buffer, buffer.uri);
    if (view === undefined) return new Uint8Array();
    return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  };
  const { defined, motions, issues } = await readFileHumanoids(gltf, readBuffer);
  const found = [...issues];
  return {
    root: rootBabylonMesh,
    humanoids: defined.map((one) => humanoidOfFile(one, loader, found)),
    humanoidClips: motions.map(clipOf),
    humanoidIssues: found,
  };
}

/**
 * Makes the glTF loader read EXT_skeleton_humanoid in every file that uses it from now on: `onLoaded` gets what is in the file, before the
 * loading of the file is done. Humanoid channels are not in its animation groups: they animate no node before they are bound to a character. Call
 * `unregisterSkeletonHumanoid` to end it.
 */
export function registerSkeletonHumanoid(onLoaded: (data: SkeletonHumanoidData) => void): void {
  registerGLTFExtension(EXT_SKELETON_HUMANOID, true, (loader): IGLTFLoaderExtension => {
    return {
      name: EXT_SKELETON_HUMANOID,
      enabled: true,
      async onReady() {
        onLoaded(await readData(loader));
      },
      dispose() {},
    };
  });
}

/** Ends what `registerSkeletonHumanoid` began. */
export function unregisterSkeletonHumanoid(): void {
  unregisterGLTFExtension(EXT_SKELETON_HUMANOID);
}
