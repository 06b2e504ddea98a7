/** A mixer for skinned characters: animation groups with weights and fades, and bone matrices written straight into the skeletons. */
import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import { Quaternion } from '@babylonjs/core/Maths/math.vector.js';
import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import * as vec3 from '../../../core/math/vec3.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { BoneWeights } from '../../../playback/blend/bone-mask.ts';
import { instanceMask, isInstance } from '../../scene/character/instance.ts';
import { moveRoot } from '../../scene/character/move-root.ts';
import { PosedCharacter } from '../../scene/character/posed-character.ts';
import type { BabylonHumanoid } from '../create-humanoid.ts';
import { mirrorMatrix } from '../handedness.ts';
import { type BabylonScene, readScene } from '../read-scene.ts';
import {
  type BabylonAnimationOptions,
  type BabylonRig,
  createCharacterRig,
  type RigGroup,
  rigGroup,
  skeletonsOf,
} from './babylon-rig.ts';
import { CharacterAnimation } from './character-animation.ts';
import { SkeletonTakeover } from './skeleton-takeover.ts';

/** Finds the nodes of an instance, and checks that they are those of the model. */
function readInstance(root: TransformNode, { root: model, scene, rig }: BabylonRig): BabylonScene {
  if (root === model) return scene;
  const own = readScene(root);
  if (isInstance(own, skeletonsOf(own).size, rig)) return own;
  throw new RangeError(
    `BabylonMixer: ${JSON.stringify(root.name)} has other nodes than the model of the rig. ` +
      'Pass an instance of that model (instantiateModelsToScene of its container), or omit the rig.',
  );
}

/**
 * Animates a skinned character with animation groups. It writes the matrices of the skeletons (the bone texture) without going through bones and nodes:
 * these keep their transforms, until {@link BabylonMixer.applyToBones} is called. Visible objects that are parented to them follow.
 */
export class BabylonMixer {
  readonly #rig: BabylonRig;
  readonly #scene: BabylonScene;
  readonly #character: PosedCharacter;
  readonly #takeover: SkeletonTakeover;
  readonly #animations = new Map<RigGroup, CharacterAnimation>();
  /** Nodes that are posed: those without a bone, and those that carry something. */
  readonly #posedNodes: Set<number>;
  /** Per skin, the update whose matrices were written last. */
  readonly #written: Int32Array;
  #round = 1;
  #isStale = true;

  /**
   * Creates a mixer. It shows the rest pose until an animation starts.
   *
   * @param root The character: `__root__` of a glTF, of the model or of an instance.
   * @param rig From {@link createCharacterRig}, for several instances of one model; by default the character gets its own.
   * @throws RangeError when the nodes of the character are not those of the model, and for skeletons that are not those of a glTF.
   * @example
   * const mixer = new BabylonMixer(container.rootNodes[0] as TransformNode);
   * mixer.animation(container.animationGroups[0]).start(true);
   * scene.onBeforeRenderObservable.add(() => mixer.update(scene.deltaTime / 1000));
   */
  constructor(root: TransformNode, rig: BabylonRig = createCharacterRig(root)) {
    this.#rig = rig;
    this.#scene = readInstance(root, rig);
    this.#character = new PosedCharacter(rig.rig);
    this.#written = new Int32Array(rig.rig.slots.length);
    this.#takeover = new SkeletonTakeover(this.#scene, rig.rig.skeleton.joints, (matrices, skin) =>
      this.#writeMatrices(matrices, skin),
    );
    this.#posedNodes = new Set(this.#takeover.carriers);
    this.#character.needsPose = this.#posedNodes.size > 0;
    this.#character.player.onEvent = ({ type, action }) => {
      if (type !== 'event' && action instanceof CharacterAnimation) action.notify(type);
    };
  }

  /** The root of the character. */
  get root(): TransformNode {
    return this.#scene.top;
  }

  /**
   * Returns the animation of a group; creates it at the first call.
   *
   * @param group A group on the nodes of the model. Planned once per model; changes of its keys after that have no effect.
   * @param options Root motion.
   * @returns The animation; `start` starts it.
   * @throws RangeError for an additive group, and when the humanoid of the root motion is that of another model.
   */
  animation(group: AnimationGroup, options: BabylonAnimationOptions = {}): CharacterAnimation {
    const rigged = rigGroup(this.#rig, this.#scene, group, options);
    const known = this.#animations.get(rigged);
    if (known !== undefined) return known;
    const { planned, plainNodes } = rigged;
    for (const node of plainNodes) this.#posedNodes.add(node);
    if (plainNodes.length > 0) this.#character.needsPose = true;
    const { scene } = this.#rig;
    const isNode = (target: unknown): boolean =>
      this.#scene.indexOf.has(target as TransformNode) || scene.indexOf.has(target as TransformNode);
    const { player } = this.#character;
    const animation: CharacterAnimation = new CharacterAnimation(player, group, planned, isNode);
    // An animation that ended shows its last pose only until another one starts.
    animation.onAnimationGroupPlayObservable.add(() => {
      for (const other of this.#animations.values()) if (!other.isStarted) player.deactivate(other);
    });
    this.#animations.set(rigged, animation);
    return animation;
  }

  /**
   * Creates a mask of an animation: `{ spine: 1 }` is the upper body. See `createBoneMask` of `anyrig/playback`.
   *
   * @param humanoid The humanoid of the model or of this character.
   * @param weights Weights by bone name, 0…1.
   * @returns One weight per node of the character.
   * @throws RangeError when a name is not one of the 55 bones, a weight is not between 0 and 1, or the humanoid is that of another model.
   * @example
   * const wave = mixer.animation(group).start(true);
   * wave.mask = mixer.createBoneMask(hero, { spine: 1 });
   * wave.layer = 1;
   */
  createBoneMask({ humanoid, nodes }: BabylonHumanoid, weights: BoneWeights): Float32Array {
    const { rig, scene } = this.#rig;
    return instanceMask(humanoid, nodes, [scene, this.#scene], rig, weights);
  }

  /**
   * Advances all animations. The matrices are computed when Babylon.js asks for them: not for characters outside of the view.
   *
   * @param seconds Seconds since the last update.
   */
  update(seconds: number): void {
    const { player } = this.#character;
    if (player.actions.length === 0) return;
    player.advance(seconds);
    this.#round++;
    this.#isStale = true;
    if (player.hasRootMotion) this.#moveRoot();
    if (this.#posedNodes.size === 0) return;
    this.#refresh();
    for (const node of this.#posedNodes) this.#poseNode(node);
  }

  /** Writes the current pose to the nodes of the bones, for code that reads them. */
  applyToBones(): void {
    this.#character.player.blend();
    const { joints } = this.#rig.rig.skeleton;
    for (let node = 0; node < joints.length; node++) if (joints[node] === 1) this.#poseNode(node);
  }

  /** Gives the skeletons back to Babylon.js and frees the memory of the kernel. */
  dispose(): void {
    this.#takeover.end();
    this.#character.dispose();
    for (const animation of this.#animations.values()) animation.dispose();
  }

  #poseNode(index: number): void {
    const { pose } = this.#character.player;
    const node = this.#scene.nodes[index];
    const at = POSE_STRIDE * index;
    const q = at + PATH_OFFSET.rotation;
    const s = at + PATH_OFFSET.scale;
    // Left-handed nodes are mirrored along z.
    const sign = this.#scene.mirrored ? -1 : 1;
    node.position.set(pose[at], pose[at + 1], sign * pose[at + 2]);
    node.rotationQuaternion ??= new Quaternion();
    node.rotationQuaternion.set(sign * pose[q], sign * pose[q + 1], pose[q + 2], pose[q + 3]);
    node.scaling.set(pose[s], pose[s + 1], pose[s + 2]);
  }

  #moveRoot(): void {
    const { top, mirrored } = this.#scene;
    const { position, scaling } = top;
    top.rotationQuaternion ??= Quaternion.FromEulerVector(top.rotation);
    const { rotationQuaternion } = top;
    vec3.set(moved, 0, position.x, position.y, position.z);
    // Left-handed nodes are mirrored along z.
    vec3.set(scaled, 0, scaling.x, scaling.y, mirrored ? -scaling.z : scaling.z);
    const { x, y, z, w } = rotationQuaternion;
    rotated[0] = x;
    rotated[1] = y;
    rotated[2] = z;
    rotated[3] = w;
    moveRoot(moved, rotated, scaled, this.#character.player);
    position.set(moved[0], moved[1], moved[2]);
    rotationQuaternion.set(rotated[0], rotated[1], rotated[2], rotated[3]);
  }

  /** Computes the pose of the last update. */
  #refresh(): void {
    if (!this.#isStale) return;
    this.#isStale = false;
    this.#character.update();
  }

  #writeMatrices(matrices: Float32Array, skin: number): boolean {
    if (this.#written[skin] === this.#round) return false;
    this.#written[skin] = this.#round;
    this.#refresh();
    this.#character.writeMatrices(matrices, skin);
    if (this.#scene.mirrored) {
      const slots = this.#rig.rig.slots[skin];
      for (let joint = 0; joint < slots.length; joint++) {
        if (slots[joint] >= 0) mirrorMatrix(matrices, MATRIX_STRIDE * joint);
      }
    }
    return true;
  }
}

const moved = new Float64Array(3);
const rotated = new Float64Array(4);
const scaled = new Float64Array(3);
