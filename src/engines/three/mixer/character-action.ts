import {
  type AnimationActionLoopStyles,
  type AnimationClip,
  LoopOnce,
  LoopPingPong,
  LoopRepeat,
  type Object3D,
} from 'three';
import { type ActionOwner, type LoopMode, PlayerAction } from '../../../playback/player/action.ts';
import type { PlayerClip } from '../../../playback/player/player-clip.ts';

const MODES: Readonly<Record<LoopMode, AnimationActionLoopStyles>> = {
  once: LoopOnce,
  repeat: LoopRepeat,
  pingPong: LoopPingPong,
};

function modeOf(style: AnimationActionLoopStyles): LoopMode {
  if (style === LoopOnce) return 'once';
  return style === LoopPingPong ? 'pingPong' : 'repeat';
}

/** The mixer of an action, as far as the action needs it. */
interface ActionMixer {
  /** Returns the root of the mixer. */
  getRoot(): Object3D;
}

/** An action of a CharacterMixer: the methods and properties of AnimationAction in three.js. */
export class CharacterAction extends PlayerAction {
  readonly #mixer: ActionMixer;
  readonly #clip: AnimationClip;

  /**
   * Creates an action; use `clipAction` of a mixer instead.
   *
   * @param owner Its player.
   * @param clip The clip of three.js.
   * @param planned The planned clip.
   */
  constructor(mixer: ActionMixer, owner: ActionOwner, clip: AnimationClip, planned: PlayerClip) {
    super(owner, planned);
    this.#mixer = mixer;
    this.#clip = clip;
  }

  /** What happens at the end of the clip, as a constant of three.js. */
  get loop(): AnimationActionLoopStyles {
    return MODES[this.loopMode];
  }

  /** Sets what happens at the end of the clip. */
  set loop(style: AnimationActionLoopStyles) {
    this.loopMode = modeOf(style);
  }

  /**
   * Sets what happens at the end of the clip.
   *
   * @param mode A constant of three.js, or a name.
   * @param repetitions Number of rounds.
   * @returns The action.
   */
  override setLoop(mode: AnimationActionLoopStyles | LoopMode, repetitions: number = Number.POSITIVE_INFINITY): this {
    return super.setLoop(typeof mode === 'string' ? mode : modeOf(mode), repetitions);
  }

  /**
   * Fades another action out and this one in.
   *
   * @param action The other action.
   * @param duration Seconds.
   * @param warp Whether the speeds change so that both clips take the same time.
   * @returns The action.
   */
  crossFadeFrom(action: CharacterAction, duration: number, warp = false): this {
    action.crossFadeTo(this, duration, warp);
    return this;
  }

  /** Returns the weight of the last update, with fades. */
  getEffectiveWeight(): number {
    return this.input.weight;
  }

  /** Returns the speed of the last update, with warps. */
  getEffectiveTimeScale(): number {
    return this.effectiveTimeScale;
  }

  /** Returns whether the action is among those that the mixer updates. */
  isScheduled(): boolean {
    return this.owner.isActive(this);
  }

  /** Returns the clip of three.js. */
  getClip(): AnimationClip {
    return this.#clip;
  }

  /** Returns the mixer. */
  getMixer(): ActionMixer {
    return this.#mixer;
  }

  /** Returns the root of the mixer. */
  getRoot(): Object3D {
    return this.#mixer.getRoot();
  }
}
