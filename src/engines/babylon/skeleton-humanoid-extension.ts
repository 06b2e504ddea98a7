import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import type { GLTFLoader } from '@babylonjs/loaders/glTF/2.0/glTFLoader.js';
import type { IGLTFLoaderExtension } from '@babylonjs/loaders/glTF/2.0/glTFLoaderExtension.js';
import { registerGLTFExtension } from '@babylonjs/loaders/glTF/2.0/glTFLoaderExtensionRegistry.js';
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
import {
  type BabylonCharacter,
  type BabylonHumanoid,
  createDeclaredHumanoid,
  resolveTarget,
} from './create-humanoid.ts';
import {
  DEFAULT_FPS,
  type RetargetedGroup,
  type RetargetGroupOptions,
  retargetMotionTo,
} from './retarget-animation-group.ts';

/** A humanoid clip: it targets humanoid bones and plays on any character, at 60 frames per second. */
export type BabylonHumanoidClip = BindableClip<BabylonCharacter, RetargetGroupOptions, RetargetedGroup>;

/** Data of the extension in a file. */
export interface BabylonHumanoidData {
  /** The `__root__` of the file; null for a file without nodes, such as a file of humanoid clips. */
  readonly root: TransformNode | null;
  /** The humanoids that the file defines, in file order; null for one that is not usable. */
  readonly humanoids: readonly (BabylonHumanoid | null)[];
  /** The humanoid clips, one per animation with humanoid channels. */
  readonly humanoidClips: readonly BabylonHumanoidClip[];
  /** What was invalid or skipped in the extension. */
  readonly humanoidIssues: readonly Issue[];
}

function toHumanoidClip({ name, duration, humanoid, clip }: CanonicalMotion): BabylonHumanoidClip {
  const range = { fps: DEFAULT_FPS, from: 0, to: duration * DEFAULT_FPS };
  return {
    name,
    duration,
    humanoid,
    bindTo: (target, options = {}) =>
      retargetMotionTo(resolveTarget(target, options.target ?? {}), { humanoid, clip }, range, options),
  };
}

function createFileHumanoid(definition: FileHumanoid, loader: GLTFLoader, issues: Issue[]): BabylonHumanoid | null {
  const { rootBabylonMesh: root, gltf } = loader;
  return tryDefinition(definition, issues, () => {
    if (root === null) throw new RangeError('the file has no root node; add its bones to a scene of the file');
    return createDeclaredHumanoid(root, (indexOf) =>
      resolveDefinition(definition, (node) => {
        const loaded = gltf.nodes?.[node]?._babylonTransformNode;
        return loaded === undefined ? -1 : (indexOf.get(loaded) ?? -1);
      }),
    );
  });
}

async function readData(loader: GLTFLoader): Promise<BabylonHumanoidData> {
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
  const { definitions, motions, issues } = await readGltfHumanoids(gltf, readBuffer);
  const found = [...issues];
  return {
    root: rootBabylonMesh,
    humanoids: definitions.map((one) => createFileHumanoid(one, loader, found)),
    humanoidClips: motions.map(toHumanoidClip),
    humanoidIssues: found,
  };
}

/**
 * Registers EXT_skeleton_humanoid with the glTF loader, for every file that it loads from now on. Humanoid channels are not in the animation groups of
 * the file: bind them to a character first. `unregisterGLTFExtension` of Babylon.js
 * removes the extension, by its name `EXT_skeleton_humanoid`.
 *
 * @param onLoaded Receives the data of each file that uses the extension, before the file finishes loading.
 * @example
 * registerSkeletonHumanoid(({ humanoidClips }) => clips.push(...humanoidClips));
 * await LoadAssetContainerAsync('clips.glb', scene);
 * const { group } = clips[0].bindTo(heroRoot);
 */
export function registerSkeletonHumanoid(onLoaded: (data: BabylonHumanoidData) => void): void {
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
