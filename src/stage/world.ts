import { Color, type Object3D, Scene, Vector3 } from 'three';
import type { StageFigure, StageLayout, StageShow } from './contract.ts';
import { Figure } from './figure/figure.ts';
import { loadFigure } from './figure/load-figure.ts';
import { arrange, type Extent, unionOf } from './layout.ts';
import { nextTask } from './next-task.ts';
import { Ground } from './overlay/ground.ts';
import { OverlayMaterials } from './overlay/overlay-materials.ts';
import type { StageColors } from './styles.ts';
import { Lights } from './view/lights.ts';

/** Way of the hips, by the height of the figure, from which the camera follows: less is swaying. */
const LEAST_TRAVEL = 0.6;

function scaled({ min, max }: Extent, scale: number): Extent {
  const times = ([x, y, z]: Extent['min']): Extent['min'] => [x * scale, y * scale, z * scale];
  return { min: times(min), max: times(max) };
}

const EMPTY: Extent = { min: [-1, 0, -0.5], max: [1, 1.8, 0.5] };

/** The figures of a stage and where they are. */
export class World {
  readonly scene: Scene = new Scene();
  readonly ground: Ground = new Ground();
  readonly lights: Lights = new Lights(this.scene);
  readonly #figures = new Map<string, Figure>();
  /** Figures that are being loaded: a second call with an id ends the first. */
  readonly #loading = new Map<string, symbol>();
  readonly #style = {
    skeleton: new Color('#2563eb'),
    ghost: new Color('#7c3aed'),
    materials: new OverlayMaterials(),
  };
  /** Id of the figure that is shown alone; null for all. */
  focused: string | null = null;
  #layout: StageLayout = 'row';
  #equalHeights = false;
  #isPortrait = false;
  #order: readonly string[] = [];

  /** Creates an empty world. */
  constructor() {
    this.scene.add(this.ground.object);
    this.scene.background = new Color();
    this.ground.setColor(new Color('#b4bac4'));
  }

  get figures(): Figure[] {
    return [...this.#figures.values()];
  }

  /** The figures that are drawn: the focused one where it is there, else all. */
  get shown(): Figure[] {
    const focused = this.figures.filter(({ id }) => id === this.focused);
    return focused.length > 0 ? focused : this.figures;
  }

  /** Color of joints without one of their own, 0xrrggbb. */
  get skeletonColor(): number {
    return this.#style.skeleton.getHex();
  }

  /** Seconds of the longest clip. */
  get duration(): number {
    return Math.max(0, ...this.figures.map(({ player }) => player.duration));
  }

  /** Whether figures are being loaded, which takes time from playback. */
  get isLoading(): boolean {
    return this.#loading.size > 0;
  }

  /** Creates objects with the programs of overlays, to be compiled before these are drawn. */
  overlaySamples(): Object3D {
    return this.#style.materials.samples();
  }

  get layout(): StageLayout {
    return this.#layout;
  }

  set layout(layout: StageLayout) {
    this.#layout = layout;
    this.arrange();
  }

  /** Ids of figures from left to right; the others follow. */
  get order(): readonly string[] {
    return this.#order;
  }

  set order(ids: readonly string[]) {
    this.#order = ids;
    this.arrange();
  }

  /** Scales figures to one height. */
  get equalHeights(): boolean {
    return this.#equalHeights;
  }

  set equalHeights(isEqual: boolean) {
    this.#equalHeights = isEqual;
    this.arrange();
  }

  /** Lets fewer figures stand in a row, where the stage is higher than wide. */
  set isPortrait(isPortrait: boolean) {
    if (isPortrait === this.#isPortrait) return;
    this.#isPortrait = isPortrait;
    this.arrange();
  }

  /** The figure that the stage is about: the first result; null on an empty stage. */
  get main(): Figure | null {
    const { figures } = this;
    return figures.find(({ role }) => role === 'result') ?? figures[0] ?? null;
  }

  /**
   * Returns a figure.
   *
   * @throws RangeError If no figure has this id.
   */
  figure(id: string): Figure {
    const figure = this.#figures.get(id);
    if (figure === undefined) {
      throw new RangeError(
        `There is no figure "${id}". Expected one of: ${[...this.#figures.keys()].join(', ') || 'none'}.`,
      );
    }
    return figure;
  }

  /** Loads a figure that is not in the scene. Its owner frees it. */
  async load(figure: StageFigure, prepare: (figure: Figure) => Promise<void>): Promise<Figure> {
    const loaded = await loadFigure(figure);
    await nextTask();
    const added = new Figure(figure, loaded, this.#style);
    await nextTask();
    try {
      await prepare(added);
    } catch (error) {
      added.dispose();
      throw error;
    }
    return added;
  }

  /** Shows a figure that is not in the scene, with nothing but ground and lights, while `draw` draws it. */
  alone(figure: Figure, draw: () => void): void {
    const kept = [this.ground.object, ...this.lights.objects];
    const hidden = this.scene.children.filter((child) => child.visible && !kept.includes(child));
    for (const child of hidden) child.visible = false;
    this.scene.add(figure.group);
    try {
      draw();
    } finally {
      figure.group.removeFromParent();
      for (const child of hidden) child.visible = true;
    }
  }

  /** Loads a figure; a figure with the same id is replaced once the new one is loaded. */
  async add(figure: StageFigure, prepare: (figure: Figure) => Promise<void>): Promise<boolean> {
    const { id } = figure;
    const token = Symbol(id);
    this.#loading.set(id, token);
    try {
      const added = await this.load(figure, prepare);
      if (this.#loading.get(id) !== token) {
        added.dispose();
        return false;
      }
      this.#drop(id);
      this.#figures.set(id, added);
      this.scene.add(added.group);
      this.arrange();
      return true;
    } finally {
      if (this.#loading.get(id) === token) this.#loading.delete(id);
    }
  }

  /** Removes a figure and frees its memory. A figure that is being loaded is not added. */
  remove(id: string): void {
    this.#loading.delete(id);
    this.#drop(id);
    this.arrange();
  }

  #drop(id: string): void {
    this.#figures.get(id)?.dispose();
    this.#figures.delete(id);
  }

  /** Poses all figures. */
  update(time: number, show: StageShow): void {
    this.ground.object.visible = show.ground;
    const { shown } = this;
    for (const figure of this.figures) {
      figure.group.visible = shown.includes(figure);
      figure.update(time, show);
    }
  }

  /** Tells whether the camera would have to follow the main figure: its clip leaves the spot. */
  get isTraveling(): boolean {
    const { main } = this;
    return main !== null && (main.sweep?.travel ?? 0) > LEAST_TRAVEL * main.height;
  }

  /**
   * Returns the box around the figures that the stage is about, where they are: in their clips, else in their poses.
   *
   * @param isFollowed Whether the camera follows the hips: root motion takes no space then.
   */
  extent(isFollowed = false): Extent {
    const extents = this.shown.map((figure) => this.#extentOf(figure, isFollowed));
    return extents.length === 0 ? EMPTY : unionOf(extents);
  }

  #extentOf(figure: Figure, isFollowed: boolean): Extent {
    const { sweep, group, restCenter, extent } = figure;
    const box = sweep === null ? extent : isFollowed ? sweep.around : sweep.whole;
    const { min, max } = scaled(box, group.scale.x);
    let { x, z } = group.position;
    if (sweep === null || isFollowed) {
      // The box is around the start: root motion, or a pose, has moved the figure away from it.
      const start = sweep?.start ?? restCenter;
      const now = figure.center(new Vector3());
      x = now.x - start.x * group.scale.x;
      z = now.z - start.z * group.scale.x;
    }
    return { min: [min[0] + x, Math.min(min[1], 0), min[2] + z], max: [max[0] + x, max[1], max[2] + z] };
  }

  /** Colors everything. */
  recolor(colors: StageColors): void {
    (this.scene.background as Color).copy(colors.background);
    this.ground.setColor(colors.grid);
    this.#style.skeleton.copy(colors.skeleton);
    this.#style.ghost.copy(colors.ghost);
    for (const figure of this.figures) figure.recolor();
  }

  /** Removes all figures and frees the memory of everything. */
  dispose(): void {
    this.#loading.clear();
    for (const id of [...this.#figures.keys()]) this.#drop(id);
    this.#style.materials.dispose();
    this.ground.dispose();
    this.lights.dispose();
  }

  /** Moves figures to their places: in a row or on one spot. */
  arrange(): void {
    const { main } = this;
    const rank = ({ id }: Figure): number => {
      const at = this.#order.indexOf(id);
      return at < 0 ? this.#order.length : at;
    };
    const figures = this.figures.sort((a, b) => rank(a) - rank(b));
    for (const { group, height } of figures) {
      group.scale.setScalar(this.#equalHeights && main !== null ? main.height / height : 1);
    }
    const items = figures.map((figure) => ({ role: figure.role, extent: this.#spaceOf(figure) }));
    for (const [k, { x, z }] of arrange(items, this.#layout, this.#isPortrait).entries())
      figures[k].group.position.set(x, 0, z);
  }

  /** Space that a figure needs beside others. */
  #spaceOf(figure: Figure): Extent {
    const { sweep, extent, group } = figure;
    if (sweep === null) return scaled(extent, group.scale.x);
    const { min, max } = sweep.around;
    const spare = Math.max(0, max[0] - min[0] - sweep.width) / 2;
    return scaled({ min: [min[0] + spare, min[1], min[2]], max: [max[0] - spare, max[1], max[2]] }, group.scale.x);
  }
}
