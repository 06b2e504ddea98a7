import * as mat4 from '../../../core/math/mat4.ts';
import { localToModelMatrices } from '../../../core/skeleton/pose.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { playMatrices } from '../../../playback/matrices/play-matrices.ts';
import type { PlaybackClip } from '../../../playback/matrices/playback-plan.ts';
import { Player } from '../../../playback/player/player.ts';
import type { PlayerClip } from '../../../playback/player/player-clip.ts';
import { type KernelSeat, leaveSeat, type Rig, takeSeat } from './rig.ts';

/** Computes the matrices of one character. A single clip is played straight to matrices; blends and special models through a local pose. */
export class PosedCharacter {
  /** The model. */
  readonly rig: Rig;
  /** Plays the clips. */
  readonly player: Player;
  /** Whether local poses are needed in every update, for objects that are not joints. */
  needsPose = false;
  readonly #seat: KernelSeat | null;
  readonly #own: Float32Array;
  #view: Float32Array = new Float32Array(0);
  #model: Float32Array | null = null;
  #clip: PlayerClip | null = null;
  #playback: PlaybackClip | null = null;
  #isInKernel = false;

  /** Creates an instance. */
  constructor(rig: Rig) {
    this.rig = rig;
    this.player = new Player(rig.skeleton);
    this.#seat = takeSeat(rig);
    this.#own = new Float32Array(MATRIX_STRIDE * rig.joints.length);
  }

  /** Frees the memory of the kernel. The instance cannot be used any more. */
  dispose(): void {
    if (this.#seat !== null) leaveSeat(this.rig, this.#seat);
  }

  /** Computes the matrices of the current times of all actions. Neither allocates nor throws. */
  update(): void {
    const { player, rig } = this;
    const { solo } = player;
    this.#choose(solo === null || this.needsPose ? null : solo.clip);
    this.#isInKernel = this.#playback !== null && this.#seat !== null;
    if (this.#playback === null || solo === null) this.#updateByPose();
    else if (this.#seat !== null) {
      const { group, index } = this.#seat;
      group.times[index] = solo.span.times[1];
      group.update(index, 1);
    } else if (rig.work !== null) playMatrices(this.#playback, solo.span.times[1], this.#own, 0, rig.work);
  }

  /** Selects the playback of a clip, when it differs from that of the last update. */
  #choose(clip: PlayerClip | null): void {
    if (clip === this.#clip) return;
    this.#clip = clip;
    this.#playback = clip === null ? null : (this.rig.clips.get(clip) ?? null);
    if (this.#seat !== null) this.#seat.group.setClip(this.#seat.index, this.#playback);
  }

  #updateByPose(): void {
    this.player.blend();
    const { skeleton, joints, inverseBind } = this.rig;
    this.#model ??= new Float32Array(MATRIX_STRIDE * skeleton.parents.length);
    localToModelMatrices(this.#model, skeleton.parents, this.player.pose);
    for (let joint = 0, o = 0; joint < joints.length; joint++, o += MATRIX_STRIDE) {
      mat4.multiply(this.#own, o, this.#model, MATRIX_STRIDE * joints[joint], inverseBind, o);
    }
  }

  /**
   * Writes the skinning matrices of a skin, in the space of the model. Neither allocates nor throws.
   *
   * @param out Receives 16 floats per joint of the skin, column-major.
   */
  writeMatrices(out: Float32Array, skin: number): void {
    const matrices = this.#isInKernel && this.#seat !== null ? this.#kernelMatrices(this.#seat) : this.#own;
    if (this.rig.areAllJoints[skin]) {
      out.set(matrices);
      return;
    }
    const slots = this.rig.slots[skin];
    for (let joint = 0, o = 0; joint < slots.length; joint++, o += MATRIX_STRIDE) {
      if (slots[joint] < 0) continue;
      const at = MATRIX_STRIDE * slots[joint];
      for (let c = 0; c < MATRIX_STRIDE; c++) out[o + c] = matrices[at + c];
    }
  }

  /** Returns the matrices of this character in the memory of the kernel, which moves when it grows. */
  #kernelMatrices({ group, index }: KernelSeat): Float32Array {
    const { buffer, byteOffset } = group.matrices;
    if (this.#view.buffer !== buffer) {
      const count = this.#own.length;
      this.#view = new Float32Array(buffer, byteOffset + 4 * count * index, count);
    }
    return this.#view;
  }
}
