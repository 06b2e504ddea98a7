/** A mixer for skinned characters: clips, blends and events of AnimationMixer, with bone matrices written straight into the skeletons. */
import {
  type AnimationAction,
  type AnimationClip,
  AnimationMixer,
  EventDispatcher,
  type Object3D,
  type Skeleton,
} from 'three';
import { PATH_OFFSET, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { BoneWeights } from '../../../playback/blend/bone-mask.ts';
import { instanceMask, isInstance } from '../../scene/character/instance.ts';
import { moveRoot } from '../../scene/character/move-root.ts';
import { PosedCharacter } from '../../scene/character/posed-character.ts';
import type { ThreeHumanoid } from '../create-humanoid.ts';
import { readScene, type ThreeScene } from '../read-scene.ts';
import { BoneTakeover } from './bone-takeover.ts';
import { CharacterAction } from './character-action.ts';
import {
  type CharacterRig,
  type ClipActionOptions,
  createCharacterRig,
  type RigClip,
  rigClip,
  skinnedMeshesOf,
} from './character-rig.ts';

/** Events of a CharacterMixer: those of AnimationMixer, and those of clips. */
interface CharacterMixerEvents {
  /** An action started its clip again. */
  loop: CharacterLoopEvent;
  /** An action ended. */
  finished: CharacterFinishedEvent;
  /** Something happened in a clip that has events, such as a step. */
  event: CharacterClipEvent;
}

/** Something happened in a clip. */
interface CharacterClipEvent {
  /** The action. */
  readonly action: CharacterAction;
  /** What happened, such as `leftFootDown`. */
  readonly name: string;
  /** 1 forwards, −1 backwards. */
  readonly direction: number;
}

/** An action started its clip again. */
interface CharacterLoopEvent {
  /** The action. */
  readonly action: CharacterAction;
  /** How many rounds it passed; negative backwards. */
  readonly loopDelta: number;
}

/** An action ended. */
interface CharacterFinishedEvent {
  /** The action. */
  readonly action: CharacterAction;
  /** 1 forwards, −1 backwards. */
  readonly direction: number;
}

function readInstance(root: Object3D, { root: model, scene, rig }: CharacterRig): ThreeScene {
  if (root === model) return scene;
  const own = readScene(root, false);
  if (isInstance(own, skinnedMeshesOf(own).length, rig)) return own;
  throw new RangeError(
    `CharacterMixer: ${JSON.stringify(root.name)} has other objects than the model of the rig. ` +
      'Pass a clone of that model (SkeletonUtils.clone), or omit the rig.',
  );
}

/**
 * Animates a skinned character, as AnimationMixer does: the same clips, methods and events. It writes `Skeleton.boneMatrices` without going through the
 * bone objects: those keep their transforms, until {@link CharacterMixer.applyToBones} is called. Objects that are parented to bones follow them. The
 * matrices are in the space of the root, and `bindMatrixInverse` of the meshes accounts for it.
 */
export class CharacterMixer extends EventDispatcher<CharacterMixerEvents> {
  readonly #root: Object3D;
  readonly #rig: CharacterRig;
  readonly #scene: ThreeScene;
  readonly #character: PosedCharacter;
  readonly #takeover: BoneTakeover;
  readonly #actions = new Map<RigClip, CharacterAction>();
  /** Nodes whose objects are posed: those that are not bones, and bones that carry something. */
  readonly #posedNodes: Set<number>;
  readonly #otherActions: { readonly action: CharacterAction; readonly other: AnimationAction }[] = [];
  #others: AnimationMixer | null = null;
  #loopEvent: { type: 'loop'; action: CharacterAction; loopDelta: number } | null = null;
  #isStale = true;

  /**
   * Creates a mixer.
   *
   * @param root The character: a model, or a clone of it (`SkeletonUtils.clone`).
   * @param rig From {@link createCharacterRig}, for several instances of one model; by default the character gets its own.
   * @throws RangeError If the objects of the character are not those of the model.
   * @example
   * const mixer = new CharacterMixer(gltf.scene);
   * mixer.clipAction(gltf.animations[0]).play();
   * // Every frame:
   * mixer.update(delta);
   */
  constructor(root: Object3D, rig: CharacterRig = createCharacterRig(root)) {
    super();
    this.#root = root;
    this.#rig = rig;
    this.#scene = readInstance(root, rig);
    this.#character = new PosedCharacter(rig.rig);
    this.#takeover = new BoneTakeover(this.#scene, (skeleton, skin) => this.#writeMatrices(skeleton, skin));
    this.#posedNodes = new Set(this.#takeover.carriers);
    this.#character.needsPose = this.#posedNodes.size > 0;
    this.#character.player.onEvent = ({ type, action, loops, name }) => {
      if (!(action instanceof CharacterAction)) return;
      if (type === 'loop') this.#dispatchLoop(action, loops);
      else if (type === 'event') this.dispatchEvent({ type, action, name, direction: loops });
      else this.dispatchEvent({ type, action, direction: loops });
    };
  }

  /** Seconds since the start, with `timeScale`. */
  get time(): number {
    return this.#character.player.time;
  }

  /** Sets the time of the mixer; that of actions stays. */
  set time(seconds: number) {
    this.#character.player.time = seconds;
  }

  /** Speed of all actions. */
  get timeScale(): number {
    return this.#character.player.timeScale;
  }

  /** Sets the speed of all actions. */
  set timeScale(timeScale: number) {
    this.#character.player.timeScale = timeScale;
  }

  /** Returns the character. */
  getRoot(): Object3D {
    return this.#root;
  }

  /**
   * Returns the action of a clip; creates it at the first call.
   *
   * @param clip The clip. Planned once per model.
   * @param options Root motion.
   * @returns The action; `play` starts it.
   * @throws RangeError If the humanoid of the root motion is that of another model.
   */
  clipAction(clip: AnimationClip, options: ClipActionOptions = {}): CharacterAction {
    const planned = rigClip(this.#rig, this.#scene, clip, options);
    const known = this.#actions.get(planned);
    if (known !== undefined) return known;
    const action = new CharacterAction(this, this.#character.player, clip, planned.planned);
    this.#actions.set(planned, action);
    for (const node of planned.objectNodes) this.#posedNodes.add(node);
    if (planned.objectNodes.length > 0) this.#character.needsPose = true;
    if (planned.others !== null) {
      this.#others ??= new AnimationMixer(this.#root);
      this.#otherActions.push({ action, other: this.#others.clipAction(planned.others) });
    }
    return action;
  }

  /**
   * Creates a mask of an action: `{ spine: 1 }` is the upper body. See `createBoneMask` of `anyrig/playback`.
   *
   * @param humanoid The humanoid of the model or of this character.
   * @param weights Weights by bone name, 0…1.
   * @returns One weight per object of the character.
   * @throws RangeError If a name is not one of the 55 bones, a weight is not between 0 and 1, or the humanoid is that of another model.
   * @example
   * const wave = mixer.clipAction(clip).play();
   * wave.mask = mixer.createBoneMask(hero, { spine: 1 });
   * wave.layer = 1;
   */
  createBoneMask({ humanoid, objects }: ThreeHumanoid, weights: BoneWeights): Float32Array {
    const { rig, scene } = this.#rig;
    return instanceMask(humanoid, objects, [scene, this.#scene], rig, weights);
  }

  /**
   * Returns the action of a clip, if there is one.
   *
   * @returns The action; null without.
   */
  existingAction(clip: AnimationClip): CharacterAction | null {
    return [...this.#actions.values()].find((action) => action.getClip() === clip) ?? null;
  }

  /** Stops all actions. @returns The mixer. */
  stopAllAction(): this {
    this.#character.player.stopAll();
    return this;
  }

  /**
   * Advances all actions. The matrices are computed when three.js asks for them: not for characters outside of the view.
   *
   * @param delta Seconds since the last update.
   * @returns The mixer.
   */
  update(delta: number): this {
    const { player } = this.#character;
    player.advance(delta);
    this.#isStale = true;
    if (player.hasRootMotion) this.#moveRoot();
    if (this.#posedNodes.size > 0) this.#poseObjects();
    if (this.#otherActions.length > 0) this.#updateOthers();
    return this;
  }

  /**
   * Sets the time of all actions, as AnimationMixer does: actions start again and advance to the time.
   *
   * @param seconds Seconds.
   * @returns The mixer.
   */
  setTime(seconds: number): this {
    this.time = 0;
    for (const action of this.#actions.values()) action.time = 0;
    return this.update(seconds);
  }

  /** Writes the current pose to the bone objects, for code that reads them. */
  applyToBones(): void {
    this.#character.player.blend();
    for (let node = 0; node < this.#scene.nodes.length; node++) {
      if (this.#rig.rig.skeleton.joints[node] === 1) this.#poseObject(node);
    }
  }

  /** Gives the bones back to three.js and frees the memory of the kernel. */
  dispose(): void {
    this.#takeover.end();
    this.#character.dispose();
    this.#others?.stopAllAction();
  }

  /** Dispatches one event object again and again: loops are frequent. */
  #dispatchLoop(action: CharacterAction, loopDelta: number): void {
    this.#loopEvent ??= { type: 'loop', action, loopDelta };
    this.#loopEvent.action = action;
    this.#loopEvent.loopDelta = loopDelta;
    this.dispatchEvent(this.#loopEvent);
  }

  #poseObject(node: number): void {
    const { pose } = this.#character.player;
    const at = node * POSE_STRIDE;
    const object = this.#scene.nodes[node];
    object.position.set(pose[at], pose[at + 1], pose[at + 2]);
    const q = at + PATH_OFFSET.rotation;
    object.quaternion.set(pose[q], pose[q + 1], pose[q + 2], pose[q + 3]);
    const s = at + PATH_OFFSET.scale;
    object.scale.set(pose[s], pose[s + 1], pose[s + 2]);
  }

  #poseObjects(): void {
    this.#refresh();
    for (const node of this.#posedNodes) this.#poseObject(node);
  }

  #updateOthers(): void {
    for (const { action, other } of this.#otherActions) {
      if (action.isScheduled() && action.input.weight > 0) {
        other.play().setEffectiveWeight(action.input.weight);
        other.time = action.span.times[1];
      } else if (other.isScheduled()) other.stop();
    }
    this.#others?.update(0);
  }

  #moveRoot(): void {
    const { position, quaternion, scale } = this.#root;
    position.toArray(moved);
    quaternion.toArray(rotated);
    scale.toArray(scaled);
    moveRoot(moved, rotated, scaled, this.#character.player);
    position.fromArray(moved);
    quaternion.fromArray(rotated);
  }

  /** Computes the pose of the last update. */
  #refresh(): void {
    if (!this.#isStale) return;
    this.#isStale = false;
    this.#character.update();
  }

  #writeMatrices(skeleton: Skeleton, skin: number): void {
    this.#refresh();
    this.#character.writeMatrices(skeleton.boneMatrices as Float32Array, skin);
  }
}

const moved = new Float64Array(3);
const rotated = new Float64Array(4);
const scaled = new Float64Array(3);
