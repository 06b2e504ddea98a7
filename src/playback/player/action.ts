/** A clip that a player plays: time, speed, weight, fades and loops. Names and behavior are those of AnimationAction in three.js. */
import type { Floats } from '../../core/math/floats.ts';
import type { PoseInput } from '../blend/pose-blend.ts';
import type { MotionSpan } from '../root-motion/root-motion.ts';
import type { PlayerClip } from './player-clip.ts';
import { createRamp, type Ramp, startRamp } from './ramp.ts';

/** What an action does at the end of its clip: stops, starts again, or plays backwards. */
export type LoopMode = 'once' | 'repeat' | 'pingPong';

/** What an action needs of its player. */
export interface ActionOwner {
  /** Time of the player, seconds. */
  readonly time: number;
  /** Number of nodes of its skeleton. */
  readonly nodeCount: number;
  /** Adds an action to those that play. */
  activate(action: PlayerAction): void;
  /** Removes an action from those that play. */
  deactivate(action: PlayerAction): void;
  /** Returns whether an action is among those that play. */
  isActive(action: PlayerAction): boolean;
  /** Reports that an action wrapped or ended, or what happened in its clip. */
  notify(action: PlayerAction, type: 'loop' | 'finished' | 'event', loops: number, name?: string): void;
}

/** A clip that a player plays. Create it with the player; `play` starts it. */
export class PlayerAction {
  /** The clip. */
  readonly clip: PlayerClip;
  /** The player. */
  readonly owner: ActionOwner;
  /** Nodes, weight of the last update with fades, and mask: the part of the action in its layer. */
  readonly input: PoseInput;
  /**
   * Layer of the action; 0 is the lowest. Actions of one layer are blended by their weights, and their result replaces that of the layers
   * below, as far as the weights add up to 1.
   */
  layer = 0;
  /** At the end of the clip. */
  loopMode: LoopMode = 'repeat';
  /** Number of rounds; not for `once`. */
  repetitions: number = Number.POSITIVE_INFINITY;
  /** Seconds in the clip; in a backward round of `pingPong`, seconds since the end. */
  time = 0;
  /** Speed; negative backwards. */
  timeScale = 1;
  /** Weight of the pose, before fades. */
  weight = 1;
  /** Whether time stands still. */
  paused = false;
  /** Whether the action has an effect. An action that ended or faded out is disabled. */
  enabled = true;
  /** Whether the last pose stays when the action ends. Otherwise the action is disabled. */
  clampWhenFinished = false;
  /** Speed of the last update, with warps. */
  effectiveTimeScale = 1;
  /** Completed rounds; −1 before the first. */
  loopCount = -1;
  /** Time of the player at which the action starts, seconds; −Infinity for one that does not wait. */
  startTime: number = Number.NEGATIVE_INFINITY;
  /** Fade of the weight. */
  readonly fade: Ramp = createRamp();
  /** Change of the speed. */
  readonly warping: Ramp = createRamp();
  /** Speed after the change; NaN for that at its end. */
  restoredTimeScale: number = Number.NaN;
  /** Seconds that the last update moved the action. */
  delta = 0;
  /** Span of the last update. */
  readonly span: MotionSpan = { times: new Float64Array(2), loops: 0 };
  /** Weight of the root motion of the last update. */
  motionWeight = 0;

  /**
   * Creates an action.
   *
   * @param owner The player.
   */
  constructor(owner: ActionOwner, clip: PlayerClip) {
    this.owner = owner;
    this.clip = clip;
    this.input = { nodes: clip.nodes, weight: 1, mask: null };
  }

  /** Factor of the weight per node, from `createBoneMask`; null for all nodes. */
  get mask(): Floats | null {
    return this.input.mask;
  }

  /** Sets the mask. Throws a RangeError for one that does not have one weight per node. */
  set mask(mask: Floats | null) {
    const { nodeCount } = this.owner;
    if (mask !== null && mask.length !== nodeCount) {
      throw new RangeError(
        `The mask has ${mask.length} weights, but the character has ${nodeCount} nodes. ` +
          'Create it with createBoneMask for the skeleton of the player; CharacterMixer and BabylonMixer have a method createBoneMask.',
      );
    }
    this.input.mask = mask;
  }

  /** Returns whether the player updates the action, and it is neither paused nor waiting for its start. */
  isRunning(): boolean {
    const isStarted = this.startTime === Number.NEGATIVE_INFINITY;
    return this.enabled && !this.paused && this.timeScale !== 0 && isStarted && this.owner.isActive(this);
  }

  /** Starts playing. @returns The action. */
  play(): this {
    this.owner.activate(this);
    return this;
  }

  /** Stops playing and resets the action. @returns The action. */
  stop(): this {
    this.owner.deactivate(this);
    return this.reset();
  }

  /** Resets time, loops, fades and warps, and enables the action. @returns The action. */
  reset(): this {
    this.paused = false;
    this.enabled = true;
    this.time = 0;
    this.loopCount = -1;
    this.startTime = Number.NEGATIVE_INFINITY;
    return this.stopFading().stopWarping();
  }

  /**
   * Delays the start.
   *
   * @param time Time of the player, seconds.
   * @returns The action.
   */
  startAt(time: number): this {
    this.startTime = time;
    return this;
  }

  /**
   * Sets what happens at the end of the clip.
   *
   * @param repetitions Number of rounds.
   * @returns The action.
   */
  setLoop(mode: LoopMode, repetitions: number = Number.POSITIVE_INFINITY): this {
    this.loopMode = mode;
    this.repetitions = repetitions;
    return this;
  }

  /**
   * Sets the weight and ends a fade.
   *
   * @param weight At least 0.
   * @returns The action.
   */
  setEffectiveWeight(weight: number): this {
    this.weight = weight;
    this.input.weight = this.enabled ? weight : 0;
    return this.stopFading();
  }

  /**
   * Sets the speed and ends a warp.
   *
   * @param timeScale 1 is the speed of the clip; negative backwards.
   * @returns The action.
   */
  setEffectiveTimeScale(timeScale: number): this {
    this.timeScale = timeScale;
    this.effectiveTimeScale = this.paused ? 0 : timeScale;
    return this.stopWarping();
  }

  /**
   * Fades in.
   *
   * @param duration Seconds.
   * @returns The action.
   */
  fadeIn(duration: number): this {
    startRamp(this.fade, this.owner.time, duration, 0, 1);
    return this;
  }

  /**
   * Fades out. The action is disabled at the end.
   *
   * @param duration Seconds.
   * @returns The action.
   */
  fadeOut(duration: number): this {
    startRamp(this.fade, this.owner.time, duration, 1, 0);
    return this;
  }

  /**
   * Fades this action out and another one in.
   *
   * @param action The other action, which must play.
   * @param duration Seconds.
   * @param warp Whether the speeds change so that both clips take the same time: steps stay in phase.
   * @returns The other action.
   */
  crossFadeTo(action: PlayerAction, duration: number, warp = false): PlayerAction {
    this.fadeOut(duration);
    action.fadeIn(duration);
    if (warp) {
      const ratio = this.clip.duration / action.clip.duration;
      this.restoredTimeScale = this.timeScale;
      action.restoredTimeScale = action.timeScale;
      this.warp(1, ratio, duration);
      action.warp(1 / ratio, 1, duration);
    }
    return action;
  }

  /** Ends a fade at once. @returns The action. */
  stopFading(): this {
    this.fade.isActive = false;
    return this;
  }

  /**
   * Changes the speed over time.
   *
   * @param from Speed at the start.
   * @param to Speed at the end; at 0 the action pauses.
   * @param duration Seconds.
   * @returns The action.
   */
  warp(from: number, to: number, duration: number): this {
    startRamp(this.warping, this.owner.time, duration, from / this.timeScale, to / this.timeScale);
    return this;
  }

  /**
   * Slows down to a stop.
   *
   * @param duration Seconds.
   * @returns The action.
   */
  halt(duration: number): this {
    return this.warp(this.effectiveTimeScale, 0, duration);
  }

  /** Ends a warp at once. @returns The action. */
  stopWarping(): this {
    this.warping.isActive = false;
    this.restoredTimeScale = Number.NaN;
    return this;
  }

  /**
   * Sets the speed so that one round takes a time.
   *
   * @param duration Seconds.
   * @returns The action.
   */
  setDuration(duration: number): this {
    this.timeScale = this.clip.duration / duration;
    return this.stopWarping();
  }

  /**
   * Takes time and speed from another action.
   *
   * @param action The other action.
   * @returns The action.
   */
  syncWith(action: PlayerAction): this {
    this.time = action.time;
    this.timeScale = action.timeScale;
    return this.stopWarping();
  }
}
