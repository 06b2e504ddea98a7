/** Plays clips on one character: several at a time, blended into one pose. */
import type { Skeleton } from '../../core/skeleton/skeleton.ts';
import {
  addPose,
  beginBlend,
  beginLayer,
  blendPose,
  createPoseBlend,
  finishBlend,
  type PoseBlend,
} from '../blend/pose-blend.ts';
import { locateFrame, sampleFrames } from '../compiled-clip.ts';
import { ROOT_MOTION_STRIDE } from '../root-motion/root-motion.ts';
import { type ActionOwner, PlayerAction } from './action.ts';
import { advanceAction } from './advance-action.ts';
import { blendRootMotion } from './blend-root-motion.ts';
import type { PlayerClip } from './player-clip.ts';
import type { Clock } from './ramp.ts';

/** What a player reports while it updates. The object is used again for the next event. */
export interface PlayerEvent {
  /** `loop`: an action started its clip again. `finished`: it ended. `event`: something happened in its clip. */
  type: 'loop' | 'finished' | 'event';
  /** The action. */
  action: PlayerAction;
  /** How many rounds a `loop` passed, negative backwards; the direction of a `finished` action or an `event`, 1 or −1. */
  loops: number;
  /** Name of the `event`, such as `leftFootDown`; empty for others. */
  name: string;
}

/** Sorts actions by layer. Those of one layer stay in their order. Neither allocates nor calls back, as Array.sort does. */
function sortByLayer(actions: PlayerAction[]): void {
  for (let k = 1; k < actions.length; k++) {
    const action = actions[k];
    let at = k;
    for (; at > 0 && actions[at - 1].layer > action.layer; at--) actions[at] = actions[at - 1];
    actions[at] = action;
  }
}

/** Plays clips on one character. `update` neither allocates nor throws; `pose` is the result. */
export class Player implements ActionOwner, Clock {
  /** Seconds since the start, with `timeScale`. */
  time = 0;
  /** Seconds of the last update, with `timeScale`. */
  step = 0;
  /** Speed of all actions. */
  timeScale = 1;
  /** Called for every event, during `update`; null for nobody. */
  onEvent: ((event: PlayerEvent) => void) | null = null;
  /** Root motion of the last update, relative to the character before it: translation xyz in units of the file, heading in radians. */
  readonly rootMotion: Float64Array = new Float64Array(ROOT_MOTION_STRIDE);
  readonly #parents: Int32Array;
  readonly #blend: PoseBlend;
  readonly #sample: Float32Array;
  readonly #actions: PlayerAction[] = [];
  #event: PlayerEvent | null = null;
  #up: Float64Array | null = null;

  /**
   * Creates a player.
   *
   * @param skeleton The skeleton. Its rest pose is shown where nothing plays.
   */
  constructor(skeleton: Skeleton) {
    this.#parents = skeleton.parents;
    this.#blend = createPoseBlend(skeleton.rest);
    this.#sample = Float32Array.from(skeleton.rest);
  }

  /** Number of nodes of the skeleton. */
  get nodeCount(): number {
    return this.#parents.length;
  }

  /** The current pose: 10 floats per node, local space. */
  get pose(): Float32Array {
    return this.#blend.pose;
  }

  /** The actions that play; by layer since the last update. */
  get actions(): readonly PlayerAction[] {
    return this.#actions;
  }

  /**
   * Creates an action.
   *
   * @param clip From `planPlayerClip`, for the skeleton of this player.
   * @returns The action; `play` starts it.
   */
  action(clip: PlayerClip): PlayerAction {
    return new PlayerAction(this, clip);
  }

  /** Adds an action to those that play. */
  activate(action: PlayerAction): void {
    if (!this.#actions.includes(action)) this.#actions.push(action);
  }

  /** Removes an action from those that play. */
  deactivate(action: PlayerAction): void {
    const index = this.#actions.indexOf(action);
    if (index >= 0) this.#actions.splice(index, 1);
  }

  /** Returns whether an action plays. */
  isActive(action: PlayerAction): boolean {
    return this.#actions.includes(action);
  }

  /** Stops all actions. */
  stopAll(): void {
    for (const action of this.#actions.splice(0)) action.reset();
  }

  /** Reports an event. */
  notify(action: PlayerAction, type: PlayerEvent['type'], loops: number, name = ''): void {
    if (this.onEvent === null) return;
    this.#event ??= { type, action, loops, name };
    this.#event.type = type;
    this.#event.action = action;
    this.#event.loops = loops;
    this.#event.name = name;
    this.onEvent(this.#event);
  }

  /**
   * Advances all actions and blends their poses into `pose`, and their root motion into `rootMotion`.
   *
   * @param seconds Seconds since the last update.
   */
  update(seconds: number): void {
    this.advance(seconds);
    this.blend();
  }

  /**
   * Advances all actions and their root motion, without a pose: the first half of {@link update}.
   *
   * @param seconds Seconds since the last update.
   */
  advance(seconds: number): void {
    this.step = seconds * this.timeScale;
    this.time += this.step;
    const actions = this.#actions;
    for (let k = 0; k < actions.length; k++) advanceAction(actions[k], this);
    sortByLayer(actions);
    this.#up = blendRootMotion(this.rootMotion, actions, this.#parents);
  }

  /** The only action with an effect, if it has full weight: its compiled clip at `span.times[1]` is the pose. Null otherwise. */
  get solo(): PlayerAction | null {
    const actions = this.#actions;
    let solo: PlayerAction | null = null;
    for (let k = 0; k < actions.length; k++) {
      const action = actions[k];
      const { weight, mask } = action.input;
      if (!(weight > 0)) continue;
      if (solo !== null || weight < 1 || mask !== null || action.clip.isAdditive) return null;
      solo = action;
    }
    return solo;
  }

  /** Blends the poses of all actions at their current times into `pose`: the second half of {@link update}. */
  blend(): void {
    const { solo } = this;
    const blend = this.#blend;
    if (solo !== null) {
      sampleAction(solo, blend.pose);
      return;
    }
    beginBlend(blend);
    const actions = this.#actions;
    for (let k = 0; k < actions.length; k++) {
      const action = actions[k];
      if (k > 0 && action.layer !== actions[k - 1].layer) beginLayer(blend);
      if (!(action.input.weight > 0)) continue;
      sampleAction(action, this.#sample);
      if (action.clip.isAdditive) addPose(blend, this.#sample, action.input);
      else blendPose(blend, this.#sample, action.input);
    }
    finishBlend(blend);
  }

  /** Whether an action of the last update has root motion. */
  get hasRootMotion(): boolean {
    return this.#up !== null;
  }

  /** The vertical of the root motion: unit vector, axes of the file. */
  get rootMotionUp(): Float64Array {
    return this.#up ?? Y;
  }
}

const Y = Float64Array.of(0, 1, 0);
const located = new Float64Array(2);

/** Samples the clip of an action at its current time. */
function sampleAction({ clip, span }: PlayerAction, pose: Float32Array): void {
  locateFrame(located, 0, clip.compiled, span.times[1]);
  sampleFrames(clip.compiled, located, 0, pose);
}
