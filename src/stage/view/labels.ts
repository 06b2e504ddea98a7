/** Texts over the picture: names of figures at their feet, and of the joint under the pointer. */
import { type Camera, Vector3 } from 'three';
import type { Figure } from '../figure/figure.ts';

/** CSS pixels between the pointer and the name of a joint. */
const POINTER_GAP = 14;

/** CSS pixels between the lines of two names that would overlap. */
const LINE = 26;
/** CSS pixels of a Latin character, of a kanji and of the edges of a label, about: measuring the layout in every frame takes time. */
const CHARACTER = { latin: 7, kanji: 12 };
const EDGES = 16;
/** Code point from which on characters are as wide as high: those of China, Japan and Korea. */
const FIRST_KANJI = 0x2e80;

/** Position of a name and half of its width, CSS pixels. */
interface LabelPosition {
  readonly x: number;
  readonly y: number;
  readonly half: number;
}

const point = new Vector3();

/** Estimates the width of a text in CSS pixels. */
function widthOf(text: string, { latin, kanji }: typeof CHARACTER): number {
  let width = 0;
  for (const character of text) width += (character.codePointAt(0) as number) < FIRST_KANJI ? latin : kanji;
  return width;
}

/** Moves a name below or above those that it would overlap, whichever is nearer, and into the picture. */
function positionLabel(
  wanted: LabelPosition,
  others: readonly LabelPosition[],
  width: number,
  height: number,
): LabelPosition {
  const { half } = wanted;
  const x = Math.min(Math.max(wanted.x, half), Math.max(half, width - half));
  const lowest = height - LINE - 2;
  const start = Math.min(wanted.y, lowest);
  const beside = others.filter((other) => Math.abs(other.x - x) < other.half + half);
  const free = [start, ...beside.flatMap((other) => [other.y + LINE, other.y - LINE])].filter(
    (y) => y >= 0 && y <= lowest && beside.every((other) => Math.abs(other.y - y) >= LINE),
  );
  const y = free.reduce((best, one) => (Math.abs(one - start) < Math.abs(best - start) ? one : best), free[0] ?? start);
  return { x, y, half };
}

function createLabel(className: string): HTMLElement {
  const label = document.createElement('div');
  label.className = className;
  label.hidden = true;
  return label;
}

/** Joints of a figure and the texts beside them. */
interface LabeledJoints {
  /** Texts; an empty one is not drawn. */
  readonly labels: readonly string[];
  /** Positions xyz, space of the world. */
  readonly at: (joint: number, out: Vector3) => Vector3;
}

/** CSS pixels of a character, and of the height, of the text beside a joint. */
const SMALL_CHARACTER = { latin: 6, kanji: 11 };
const SMALL_LINE = 16;
/** CSS pixels between a joint and its text. */
const JOINT_GAP = 7;

/** The texts of a stage. */
export class Labels {
  readonly #parent: ShadowRoot;
  readonly #labels = new Map<string, HTMLElement>();
  readonly #joint: HTMLElement;
  /** Texts beside joints: reused from frame to frame. */
  readonly #names: HTMLElement[] = [];

  /** Creates the texts. */
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
   * Moves the names of the figures to their feet, below each other where they would overlap. Of figures on one spot, only the first is named.
   *
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
    const spots: number[] = [];
    const positions: LabelPosition[] = [];
    for (const figure of figures) {
      if (figure.label === '') continue;
      const label = this.#labelOf(figure);
      figure.center(point).setY(0).project(camera);
      const spot = ((point.x + 1) / 2) * width;
      label.hidden = Math.abs(point.z) > 1 || spots.some((other) => Math.abs(other - spot) < 4);
      if (label.hidden) continue;
      const half = (widthOf(figure.label, CHARACTER) + EDGES) / 2;
      const at = positionLabel({ x: spot, y: ((1 - point.y) / 2) * height + 10, half }, positions, width, height);
      const transform = `translate(${at.x.toFixed(0)}px, ${at.y.toFixed(0)}px) translateX(-50%)`;
      if (label.style.transform !== transform) label.style.transform = transform;
      spots.push(spot);
      positions.push(at);
    }
  }

  /**
   * Writes the texts beside joints: left of those on the left, right of the others. A text that would overlap an earlier one is left out.
   *
   * @param figures The figures whose joints have texts.
   * @param width Width of the picture, CSS pixels.
   * @param height Height of the picture, CSS pixels.
   */
  updateJoints(figures: readonly LabeledJoints[], camera: Camera, width: number, height: number): void {
    const taken: { readonly left: number; readonly right: number; readonly y: number }[] = [];
    let used = 0;
    for (const { labels, at } of figures) {
      for (const [joint, text] of labels.entries()) {
        if (text === '') continue;
        at(joint, point).project(camera);
        if (Math.abs(point.z) > 1) continue;
        const [x, y] = [((point.x + 1) / 2) * width, ((1 - point.y) / 2) * height];
        const length = widthOf(text, SMALL_CHARACTER);
        const left = point.x < 0 ? x - JOINT_GAP - length : x + JOINT_GAP;
        const right = left + length;
        const isFree = taken.every(
          (one) => Math.abs(one.y - y) >= SMALL_LINE || one.right < left - 2 || one.left > right + 2,
        );
        if (!isFree || left < 0 || right > width || y < SMALL_LINE || y > height - SMALL_LINE) continue;
        taken.push({ left, right, y });
        const label = this.#nameAt(used++);
        if (label.textContent !== text) label.textContent = text;
        const side = point.x < 0 ? ' translateX(-100%)' : '';
        const from = point.x < 0 ? x - JOINT_GAP : left;
        label.style.transform = `translate(${from.toFixed(0)}px, ${(y - SMALL_LINE / 2).toFixed(0)}px)${side}`;
        label.hidden = false;
      }
    }
    for (const label of this.#names.slice(used)) label.hidden = true;
  }

  #nameAt(index: number): HTMLElement {
    const label = this.#names[index] ?? createLabel('label joint-name');
    if (this.#names[index] === undefined) {
      this.#names.push(label);
      this.#parent.append(label);
    }
    return label;
  }

  /** Removes all texts. */
  dispose(): void {
    this.#joint.remove();
    for (const label of [...this.#labels.values(), ...this.#names]) label.remove();
  }

  #labelOf({ id, label: text }: Figure): HTMLElement {
    const label = this.#labels.get(id) ?? createLabel('label');
    if (label.textContent !== text) label.textContent = text;
    if (!this.#labels.has(id)) this.#parent.append(label);
    this.#labels.set(id, label);
    return label;
  }
}
