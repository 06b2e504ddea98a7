/** The figures of a stage: what is loaded, how it moves, and what is drawn with it. */
import type { Object3D } from 'three';
import type { StageClip, StageColor, StageFigure, StageJoints, StageMark, StagePose, StageTrail } from './contract.ts';
import type { Figure } from './figure/figure.ts';
import { PlaybackElement } from './playback-element.ts';
import { World } from './world.ts';

/** An element with figures on a clock. */
export abstract class FigureElement extends PlaybackElement {
  /**
   * The scene.
   *
   * @internal
   */
  protected readonly world: World = new World();
  /**
   * The joint with the gizmo.
   *
   * @internal
   */
  protected edited: { readonly figure: Figure; readonly node: number } | null = null;

  /**
   * Called after each change that is visible.
   *
   * @internal
   */
  protected abstract requestFrame(): void;
  /**
   * Called when figures were added, removed or moved.
   *
   * @internal
   */
  protected abstract figuresChanged(): void;
  /**
   * Called when a figure plays another clip.
   *
   * @internal
   */
  protected abstract clipChanged(): void;
  /**
   * Prepares the GPU for a figure before it is drawn.
   *
   * @internal
   */
  protected abstract prepareFigure(figure: Figure): Promise<void>;
  /**
   * Shows the gizmo at an object; null hides it.
   *
   * @internal
   */
  protected abstract showGizmo(object: Object3D | null): void;

  /** Ids of the figures, in the order in which they were added. */
  get figures(): readonly string[] {
    return this.world.figures.map(({ id }) => id);
  }

  /**
   * Loads a figure and shows it in its rest pose. A figure with the same id is replaced once the new one is loaded. A figure that is removed
   * while it is loaded is not added.
   *
   * @param figure The bytes, and how they are shown.
   * @throws TypeError If the bytes are not a GLB, or the GLB is compressed with Draco.
   */
  async addFigure(figure: StageFigure): Promise<void> {
    if (this.edited?.figure.id === figure.id) this.editJoint(figure.id, null);
    if (await this.world.add(figure, (added) => this.prepareFigure(added))) this.figuresChanged();
  }

  /** Removes a figure and frees its memory. */
  removeFigure(id: string): void {
    if (this.edited?.figure.id === id) this.editJoint(id, null);
    this.world.remove(id);
    this.figuresChanged();
  }

  /**
   * Plays a clip on a figure.
   *
   * @param clip The clip; null shows the rest pose.
   * @throws RangeError If there is no such figure, or no such node.
   */
  setClip(id: string, clip: StageClip | null): void {
    this.world.figure(id).player.setClip(clip);
    this.clipChanged();
  }

  /**
   * Shows a static pose on a figure instead of its clip.
   *
   * @param pose The pose; null shows the clip again.
   * @throws RangeError If there is no such figure, or no such node.
   */
  setPose(id: string, pose: StagePose | null): void {
    this.world.figure(id).player.setPose(pose);
    this.clipChanged();
  }

  /**
   * Sets the pose that `show.rest` draws.
   *
   * @param pose The reference pose; null for the rest pose.
   * @throws RangeError If there is no such figure, or no such node.
   */
  setRestPose(id: string, pose: StagePose | null): void {
    this.world.figure(id).setRestPose(pose);
    this.requestFrame();
  }

  /**
   * Sets the joints of the skeleton overlay. They can be hovered and clicked when the skeleton is drawn.
   *
   * @param joints The joints; null for those of the file.
   * @throws RangeError If there is no such figure, or no such node.
   */
  setJoints(id: string, joints: StageJoints | null): void {
    this.world.figure(id).setJoints(joints);
    this.requestFrame();
  }

  /**
   * Enlarges a joint of the skeleton overlay.
   *
   * @param node Its node; null for none.
   * @throws RangeError If there is no such figure.
   */
  highlightJoint(id: string, node: number | null): void {
    const figure = this.world.figure(id);
    figure.skeleton.highlight(figure.jointAt(node));
    this.requestFrame();
  }

  /**
   * Shows a gizmo that rotates a node. `jointrotate` reports each new rotation, which is shown until the next `setPose`, `setClip` or
   * `editJoint`.
   *
   * @param node Its node; null hides the gizmo.
   * @throws RangeError If there is no such figure, or no such node.
   */
  editJoint(id: string, node: number | null): void {
    const figure = this.world.figure(id);
    this.edited?.figure.player.edit(null);
    this.edited = node === null ? null : { figure, node };
    this.showGizmo(node === null ? null : figure.player.nodeAt(node));
    this.requestFrame();
  }

  /**
   * Draws lines, such as trails of feet.
   *
   * @throws RangeError If there is no such figure.
   */
  setTrails(id: string, trails: readonly StageTrail[]): void {
    this.world.figure(id).setTrails(trails);
    this.requestFrame();
  }

  /**
   * Draws the path of the root motion.
   *
   * @param points Positions xyz, canonical frame, meters; null removes it.
   * @throws RangeError If there is no such figure.
   */
  setPath(id: string, points: Float32Array | null, color?: StageColor): void {
    const figure = this.world.figure(id);
    figure.setPath(points === null ? [] : [{ points, color: color ?? this.world.skeletonColor }]);
    this.requestFrame();
  }

  /**
   * Draws the areas that feet touch, while they do.
   *
   * @throws RangeError If there is no such figure.
   */
  setMarks(id: string, marks: readonly StageMark[]): void {
    this.world.figure(id).setMarks(marks);
    this.requestFrame();
  }
}
