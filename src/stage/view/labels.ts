/** Texts over the picture: names of figures at their feet, and of the joint under the pointer. */
import { type Camera, Vector3 } from 'three';
import type { Figure } from '../figure/figure.ts';

/** CSS pixels between the pointer and the name of a joint. */
const POINTER_GAP = 14;

const point = new Vector3();

function createLabel(className: string): HTMLElement {
  const label = document.createElement('div');
  label.className = className;
  label.hidden = true;
  return label;
}

/** The texts of a stage. */
export class Labels {
  readonly #parent: ShadowRoot;
  readonly #labels = new Map<string, HTMLElement>();
  readonly #joint: HTMLElement;

  /**
   * Creates the texts.
   *
   * @param parent Where they are added.
   */
  constructor(parent: ShadowRoot) {
    this.#parent = parent;
    this.#joint = createLabel('label joint');
    parent.append(this.#joint);
  }

  /**
   * Shows the name of a joint.
   *
   * @param name The name; null hides it.
   * @param x CSS pixels from the left.
   * @param y CSS pixels from the top.
   */
  showJoint(name: string | null, x = 0, y = 0): void {
    this.#joint.hidden = name === null;
    if (name === null) return;
    this.#joint.textContent = name;
    this.#joint.style.transform = `translate(${x + POINTER_GAP}px, ${y - POINTER_GAP}px)`;
  }

  /**
   * Moves the names of the figures to their feet. Where names would overlap, only the first is shown.
   *
   * @param figures The figures.
   * @param camera The camera, with current matrices.
   * @param width Width of the picture, CSS pixels.
   * @param height Height of the picture, CSS pixels.
   */
  update(figures: readonly Figure[], camera: Camera, width: number, height: number): void {
    const present = new Set(figures.map(({ id }) => id));
    for (const [id, label] of this.#labels) {
      if (present.has(id)) continue;
      label.remove();
      this.#labels.delete(id);
    }
    const taken: number[] = [];
    for (const figure of figures) {
      if (figure.label === '') continue;
      const label = this.#labelOf(figure);
      figure.center(point).setY(0).project(camera);
      const x = ((point.x + 1) / 2) * width;
      const y = ((1 - point.y) / 2) * height;
      label.hidden = Math.abs(point.z) > 1 || taken.some((other) => Math.abs(other - x) < 4);
      const transform = `translate(${x.toFixed(0)}px, ${Math.min(y + 10, height - 28).toFixed(0)}px) translateX(-50%)`;
      if (label.style.transform !== transform) label.style.transform = transform;
      taken.push(x);
    }
  }

  /** Removes all texts. */
  dispose(): void {
    this.#joint.remove();
    for (const label of this.#labels.values()) label.remove();
  }

  #labelOf({ id, label: text }: Figure): HTMLElement {
    const label = this.#labels.get(id) ?? createLabel('label');
    if (label.textContent !== text) label.textContent = text;
    if (!this.#labels.has(id)) this.#parent.append(label);
    this.#labels.set(id, label);
    return label;
  }
}
