/** What all instances of a three.js model have in common for a CharacterMixer. */

import { AdditiveAnimationBlendMode, AnimationClip, type Object3D, type SkinnedMesh } from 'three';
import type { Clip } from '../../../core/animation/clip.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { readEvents } from '../../../formats/gltf/extensions/event-extras.ts';
import type { PlayerClip } from '../../../playback/player/player-clip.ts';
import { instanceHips, plainNodes } from '../../scene/character/instance.ts';
import { planRig, planRigClip, type Rig, type RigOptions, type RigSkin } from '../../scene/character/rig.ts';
import type { ThreeHumanoid } from '../create-humanoid.ts';
import { readClip } from '../read-clip.ts';
import { isBone, readScene, type ThreeScene } from '../read-scene.ts';
import { trackTarget } from '../track-name.ts';

/** A clip of three.js, planned for a model. */
export interface RigClip {
  /** The planned transforms. */
  readonly planned: PlayerClip;
  /** Animated nodes that are not bones: their objects are posed too. */
  readonly objectNodes: readonly number[];
  /** The tracks of other properties, such as morph targets; null without. */
  readonly others: AnimationClip | null;
}

/** A model that any number of {@link CharacterMixer}s animate. */
export interface CharacterRig {
  /** The object that the rig was created from. */
  readonly root: Object3D;
  /**
   * The model on arrays.
   *
   * @internal
   */
  readonly rig: Rig;
  /**
   * Its scene graph.
   *
   * @internal
   */
  readonly scene: ThreeScene;
  /**
   * Planned clips, by the humanoid whose root motion is removed; null for none.
   *
   * @internal
   */
  readonly clips: Map<AnimationClip, Map<ThreeHumanoid | null, RigClip>>;
}

export function skinnedMeshesOf({ nodes }: Pick<ThreeScene, 'nodes'>): SkinnedMesh[] {
  const meshes = nodes.filter((object): object is SkinnedMesh => {
    return (object as Partial<SkinnedMesh>).isSkinnedMesh === true && (object as SkinnedMesh).skeleton !== undefined;
  });
  const known = new Set<unknown>();
  return meshes.filter(({ skeleton }) => !known.has(skeleton) && known.add(skeleton));
}

/**
 * Creates the rig of a model, once for all its instances. The current transforms of its objects are the rest pose.
 *
 * @param root The model: the object for an AnimationMixer.
 * @param options Memory of the kernel.
 * @returns The rig.
 * @throws RangeError If the bones of the model are in several trees.
 * @example
 * const rig = createCharacterRig(gltf.scene);
 * const mixers = clones.map((clone) => new CharacterMixer(clone, rig));
 */
export function createCharacterRig(root: Object3D, options: RigOptions = {}): CharacterRig {
  const scene = readScene(root, false);
  const trees = scene.parents.filter((parent) => parent < 0).length;
  if (trees > 1) {
    throw new RangeError(
      `createCharacterRig: the objects of ${JSON.stringify(root.name)} are in ${trees} trees. Expected one. ` +
        'Add the bones to the object that you pass.',
    );
  }
  const skins = skinnedMeshesOf(scene).map(({ skeleton }): RigSkin => {
    return {
      nodes: skeleton.bones.map((bone) => (bone ? (scene.indexOf.get(bone) ?? -1) : -1)),
      inverseBind: skeleton.boneInverses.flatMap(({ elements }) => elements),
    };
  });
  const { names, parents, rest, nodes } = scene;
  const joints = Uint8Array.from(nodes, (object) => (isBone(object) ? 1 : 0));
  const skeleton = { name: root.name, names, parents, rest, bind: null, joints };
  return { root, rig: planRig(skeleton, skins, options.memory ?? null), scene, clips: new Map() };
}

/** The identity pose, from which the values of an additive clip of three.js are differences. */
function identityPose(nodeCount: number): Float64Array {
  const pose = new Float64Array(POSE_STRIDE * nodeCount);
  for (let at = PATH_OFFSET.rotation + 3; at < pose.length; at += POSE_STRIDE) pose[at] = 1;
  return pose;
}

/** Returns the tracks of a clip that animate no transforms. */
function otherTracks(clip: AnimationClip, root: Object3D): AnimationClip | null {
  const tracks = clip.tracks.filter(({ name }) => typeof trackTarget(root, name) === 'string');
  return tracks.length === 0 ? null : new AnimationClip(clip.name, clip.duration, tracks, clip.blendMode);
}

/** Options of `clipAction` of a CharacterMixer. */
export interface ClipActionOptions {
  /** Removes the root motion of this humanoid from the pose, and moves the root of the mixer by it. */
  readonly rootMotion?: ThreeHumanoid;
}

/** Plans a clip for a model, once for all its instances. Throws RangeError if the humanoid of the root motion is that of another model. */
export function rigClip(
  character: CharacterRig,
  instance: Pick<ThreeScene, 'indexOf'>,
  clip: AnimationClip,
  { rootMotion }: ClipActionOptions,
): RigClip {
  const { root, rig, scene, clips } = character;
  const ofClip = clips.get(clip) ?? new Map<ThreeHumanoid | null, RigClip>();
  const known = ofClip.get(rootMotion ?? null);
  if (known !== undefined) return known;
  const isAdditive = clip.blendMode === AdditiveAnimationBlendMode;
  const plain = isAdditive ? new AnimationClip(clip.name, clip.duration, clip.tracks) : clip;
  // The duration of an AnimationClip counts, which may be longer than its keys.
  const read: Clip = { ...readClip(plain, root, scene.indexOf).clip, duration: clip.duration };
  const planned = planRigClip(rig, read, {
    // GLTFLoader keeps the extras of an animation there.
    events: readEvents({ extras: clip.userData ?? {} }),
    ...(isAdditive ? { additiveTo: identityPose(scene.nodes.length) } : {}),
    ...(rootMotion === undefined
      ? {}
      : { rootMotion: instanceHips(rootMotion.humanoid, rootMotion.objects, [scene, instance]) }),
  });
  const made: RigClip = {
    planned,
    objectNodes: plainNodes(rig, planned),
    others: otherTracks(clip, root),
  };
  clips.set(clip, ofClip.set(rootMotion ?? null, made));
  return made;
}
