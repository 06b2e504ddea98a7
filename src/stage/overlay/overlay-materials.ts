/** Materials of lines and contact marks: one per color for all figures of a stage, since a program is compiled anew when its last material is freed. */
import { BufferGeometry, Color, DoubleSide, Group, Mesh, MeshBasicMaterial } from 'three';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import type { StageColor } from '../contract.ts';

/** CSS pixels. */
const TRAIL_WIDTH = 2.5;
const MARK_OPACITY = 0.55;

function createMark(color: Color): MeshBasicMaterial {
  return new MeshBasicMaterial({
    color,
    transparent: true,
    opacity: MARK_OPACITY,
    depthWrite: false,
    side: DoubleSide,
  });
}

/** The materials of a stage. */
export class OverlayMaterials {
  readonly #lines = new Map<number, LineMaterial>();
  readonly #marks = new Map<number, MeshBasicMaterial>();

  /** Returns the material of lines of a color. */
  line(value: StageColor): LineMaterial {
    const color = new Color(value);
    const made = this.#lines.get(color.getHex()) ?? new LineMaterial({ color, linewidth: TRAIL_WIDTH });
    this.#lines.set(color.getHex(), made);
    return made;
  }

  /** Returns the material of contact marks of a color. */
  mark(value: StageColor): MeshBasicMaterial {
    const color = new Color(value);
    const made = this.#marks.get(color.getHex()) ?? createMark(color);
    this.#marks.set(color.getHex(), made);
    return made;
  }

  /** Creates a line and a mark, whose programs are those of all others. */
  samples(): Group {
    const line = new Line2(new LineGeometry(), this.line('#000000'));
    return new Group().add(line, new Mesh(new BufferGeometry(), this.mark('#000000')));
  }

  /** Frees the materials. */
  dispose(): void {
    for (const material of [...this.#lines.values(), ...this.#marks.values()]) material.dispose();
    this.#lines.clear();
    this.#marks.clear();
  }
}
