/** What is on a stage: the scene with its figures and the ground. */
import { Color, type Object3D, Scene, Vector3 } from 'three';
import type { StageFigure, StageLayout, StageShow } from './contract.ts';
import { Figure } from './figure/figure.ts';
import { loadFigure } from './figure/load-figure.ts';
import { arrange, type Extent, unionOf } from './layout.ts';
import { nextTask } from './next-task.ts';
import { Ground } from './overlay/ground.ts';
import { OverlayMaterials } from './overlay/overlay-materials.ts';
import type { StageColors } from './styles.ts';
import { addLights } from './view/renderer.ts';

const EMPTY: Extent = { min: [-1, 0, -0.5], max: [1, 1.8, 0.5] };

/** The figures of a stage and where they are. */
export class World {
  readonly scene: Scene = new Scene();
  readonly ground: Ground = new Ground();
  readonly #figures = new Map<string, Figure>();
  /** Figures that are being loaded: a second call with an id ends the first. */
  readonly #loading = new Map<string, symbol>();
  readonly #style = {
    skeleton: new Color('#2563eb'),
    ghost: new Color('#7c3aed'),
    materials: new OverlayMaterials(),
  };
  #layout: StageLayout = 'row';

  /** Creates an empty world. */
  constructor() {
    addLights(this.scene);
    this.scene.add(this.ground.object);
    this.scene.background = new Color();
    this.ground.setColor(new Color('#b4bac4'));
  }

  get figures(): readonly Figure[] {
    return [...this.#figures.values()];
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
    this.#arrange();
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

  /** Loads a figure; a figure with the same id is replaced once the new one is loaded. */
  async add(figure: StageFigure, prepare: (figure: Figure) => Promise<void>): Promise<boolean> {
    const { id } = figure;
    const token = Symbol(id);
    this.#loading.set(id, token);
    try {
      const loaded = await loadFigure(figure);
      await nextTask();
      const added = new Figure(figure, loaded, this.#style);
      await nextTask();
      await prepare(added);
      if (this.#loading.get(id) !== token) {
        added.dispose();
        return false;
      }
      this.#drop(id);
      this.#figures.set(id, added);
      this.scene.add(added.group);
      this.#arrange();
      return true;
    } finally {
      if (this.#loading.get(id) === token) this.#loading.delete(id);
    }
  }

  /** Removes a figure and frees its memory. A figure that is being loaded is not added. */
  remove(id: string): void {
    this.#loading.delete(id);
    this.#drop(id);
    this.#arrange();
  }

  #drop(id: string): void {
    this.#figures.get(id)?.dispose();
    this.#figures.delete(id);
  }

  /** Poses all figures. */
  update(time: number, show: StageShow): void {
    this.ground.object.visible = show.ground;
    for (const figure of this.figures) figure.update(time, show);
  }

  /** Returns the box around all figures in their rest poses, where they are now, world. */
  extent(): Extent {
    const center = new Vector3();
    const extents = this.figures.map((figure): Extent => {
      const { min, max } = figure.extent;
      figure.center(center);
      // Root motion moves a figure away from its rest pose.
      const x = center.x - figure.restCenter.x;
      const z = center.z - figure.restCenter.z;
      return { min: [min[0] + x, Math.min(min[1], 0), min[2] + z], max: [max[0] + x, max[1], max[2] + z] };
    });
    return extents.length === 0 ? EMPTY : unionOf(extents);
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
  }

  #arrange(): void {
    const offsets = arrange(this.figures, this.#layout);
    this.figures.forEach(({ group }, k) => {
      group.position.x = offsets[k];
    });
  }
}
