import { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import { Observable } from '@babylonjs/core/Misc/observable.js';
import { type ActionOwner, PlayerAction } from '../../../playback/player/action.ts';
import type { PlayerClip } from '../../../playback/player/player-clip.ts';

/** Returns the animations of a group that the mixer does not play, such as morph targets, as a group; null without. */
function otherAnimations(group: AnimationGroup, isPlayed: (target: unknown) => boolean): AnimationGroup | null {
  const others = group.targetedAnimations.filter(({ target }) => !isPlayed(target));
  if (others.length === 0) return null;
  const made = new AnimationGroup(`${group.name} (others)`, group.getScene());
  for (const { animation, target } of others) made.addTargetedAnimation(animation, target);
  return made;
}

/** A group as a BabylonMixer plays it: the methods and observables of AnimationGroup, with the fades of PlayerAction. */
export class CharacterAnimation extends PlayerAction {
  /** The group of Babylon.js, which is not started. */
  readonly group: AnimationGroup;
  /** Notified when the animation starts, and when it continues after a pause. */
  readonly onAnimationGroupPlayObservable: Observable<CharacterAnimation> = new Observable();
  /** Notified when the animation is paused. */
  readonly onAnimationGroupPauseObservable: Observable<CharacterAnimation> = new Observable();
  /** Notified when the animation starts again at its end. */
  readonly onAnimationGroupLoopObservable: Observable<CharacterAnimation> = new Observable();
  /** Notified when the animation ends, and when it is stopped. */
  readonly onAnimationGroupEndObservable: Observable<CharacterAnimation> = new Observable();
  readonly #fps: number;
  readonly #others: AnimationGroup | null;
  #isStarted = false;

  /**
   * Creates an animation; use `animation` of a mixer instead.
   *
   * @param owner The player of the mixer.
   * @param planned Its transforms.
   * @param isPlayed Returns whether a target is a node of the character.
   */
  constructor(owner: ActionOwner, group: AnimationGroup, planned: PlayerClip, isPlayed: (target: unknown) => boolean) {
    super(owner, planned);
    this.group = group;
    this.#fps = group.targetedAnimations[0]?.animation.framePerSecond ?? 60;
    this.#others = otherAnimations(group, isPlayed);
    // Nodes keep the last pose, as with AnimationGroup.
    this.clampWhenFinished = true;
  }

  /** Name of the group. */
  get name(): string {
    return this.group.name;
  }

  /** First frame. */
  get from(): number {
    return this.group.from;
  }

  /** Last frame. */
  get to(): number {
    return this.group.to;
  }

  /** Whether the animation was started and has neither ended nor been stopped. */
  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** Whether the animation is started and not paused. */
  get isPlaying(): boolean {
    return this.#isStarted && !this.paused;
  }

  /** Speed; negative backwards. */
  get speedRatio(): number {
    return this.timeScale;
  }

  /** Sets the speed. */
  set speedRatio(ratio: number) {
    this.setEffectiveTimeScale(ratio);
    if (this.#others !== null) this.#others.speedRatio = ratio;
  }

  /** Whether the animation starts again at its end. */
  get loopAnimation(): boolean {
    return this.loopMode !== 'once';
  }

  /** Sets whether the animation starts again at its end. */
  set loopAnimation(loop: boolean) {
    this.loopMode = loop ? 'repeat' : 'once';
    if (this.#others !== null) this.#others.loopAnimation = loop;
  }

  /**
   * Starts the animation, unless it is started.
   *
   * @param loop Whether it starts again at its end.
   * @param speedRatio Speed; negative backwards from the end.
   * @returns The animation.
   */
  start(loop = false, speedRatio = 1): this {
    if (this.#isStarted) return this;
    this.reset();
    this.loopAnimation = loop;
    this.speedRatio = speedRatio;
    if (speedRatio < 0) this.time = this.clip.duration;
    this.#isStarted = true;
    this.owner.activate(this);
    this.#others?.start(loop, speedRatio);
    this.onAnimationGroupPlayObservable.notifyObservers(this);
    return this;
  }

  /**
   * Starts the animation, or continues after a pause.
   *
   * @param loop Whether it starts again at its end; omitted, as before.
   * @returns The animation.
   */
  override play(loop: boolean = this.loopAnimation): this {
    if (!this.#isStarted) return this.start(loop, this.speedRatio);
    this.loopAnimation = loop;
    return this.restart();
  }

  /** Pauses the animation. @returns The animation. */
  pause(): this {
    if (!this.#isStarted) return this;
    this.paused = true;
    this.#others?.pause();
    this.onAnimationGroupPauseObservable.notifyObservers(this);
    return this;
  }

  /** Continues after a pause. @returns The animation. */
  restart(): this {
    if (!this.#isStarted) return this;
    this.paused = false;
    this.#others?.restart();
    this.onAnimationGroupPlayObservable.notifyObservers(this);
    return this;
  }

  /**
   * Stops the animation. The character keeps its pose until another animation starts.
   *
   * @param skipOnAnimationEnd Whether observers are not notified of the end.
   * @returns The animation.
   */
  override stop(skipOnAnimationEnd = false): this {
    const wasStarted = this.#isStarted;
    this.#isStarted = false;
    this.#others?.stop(skipOnAnimationEnd);
    super.stop();
    if (wasStarted && !skipOnAnimationEnd) this.onAnimationGroupEndObservable.notifyObservers(this);
    return this;
  }

  /**
   * Goes to a frame. It is shown after the next update of the mixer.
   *
   * @returns The animation.
   */
  goToFrame(frame: number): this {
    this.time = (frame - this.from) / this.#fps;
    this.#others?.goToFrame(frame);
    return this;
  }

  /** Returns the frame of the last update. */
  getCurrentFrame(): number {
    return this.#isStarted ? this.from + this.span.times[1] * this.#fps : 0;
  }

  /** Returns the length in seconds. */
  getLength(): number {
    return this.clip.duration;
  }

  /**
   * Sets the weight among the animations that play at the same time.
   *
   * @param weight At least 0.
   * @returns The animation.
   */
  setWeightForAllAnimatables(weight: number): this {
    this.#others?.setWeightForAllAnimatables(weight);
    return this.setEffectiveWeight(weight);
  }

  /**
   * Notifies the observers of an event of the player.
   *
   * @param type The event.
   * @internal
   */
  notify(type: 'loop' | 'finished'): void {
    if (type === 'loop') return void this.onAnimationGroupLoopObservable.notifyObservers(this);
    this.#isStarted = false;
    this.onAnimationGroupEndObservable.notifyObservers(this);
  }

  /**
   * Disposes the group of other animations.
   *
   * @internal
   */
  dispose(): void {
    this.#others?.dispose();
  }
}
