/** Which shape a name of a file means. */
import { FACE_CONVENTIONS, type ShapeNames } from './shape-names.ts';
import type { FaceShape } from './shapes.ts';

/** What a name means: a shape, or one of some parts of it. */
export interface NamedShape {
  readonly shape: FaceShape;
  /** Parts that the shape has where the name is that of a part; 1 where it is the whole shape. */
  readonly parts: number;
}

/**
 * A name as it is compared: full-width letters as plain ones, the side in words at the end (`_L`, `.r`, `Right`, and a capital L or R
 * after a small letter), numbers of a list (`A14_`) left out, lower case, without separators.
 */
export function nameKey(name: string): string {
  const plain = name.normalize('NFKC').replace(/^A\d\d_/, '');
  const sided = plain.replace(SIDE_END, (end) => (end.toLowerCase().endsWith('l') ? 'Left' : 'Right'));
  return sided.toLowerCase().replace(/[\s_.:-]+/g, '');
}

/** A side at the end that is one letter: after a separator, or a capital after a small letter. */
const SIDE_END = /[\s_.-][lrLR]$|(?<=[a-z])[LR]$/;

function addAll(table: Map<string, NamedShape>, names: ShapeNames): void {
  for (const [shape, list] of Object.entries(names) as [FaceShape, readonly (string | readonly string[])[]][]) {
    for (const entry of list) {
      const parts = typeof entry === 'string' ? [entry] : entry;
      for (const name of parts) {
        const key = nameKey(name);
        if (!table.has(key)) table.set(key, { shape, parts: parts.length });
      }
    }
  }
}

const TABLE: ReadonlyMap<string, NamedShape> = (() => {
  const table = new Map<string, NamedShape>();
  for (const names of Object.values(FACE_CONVENTIONS)) addAll(table, names);
  return table;
})();

/**
 * What a name of a morph target or an expression means in any of the conventions; null where nobody knows. What modeling programs put
 * in front, up to a dot or a colon or before VRoid's `Fcl_`, is left out where the whole name is not known (`blendShape16.vrc_blink`).
 */
export function shapeOfName(name: string): NamedShape | null {
  const whole = TABLE.get(nameKey(name));
  if (whole !== undefined) return whole;
  const tail = name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(':')) + 1);
  const vroid = /(?:^|_)(Fcl_.*)$/i.exec(tail);
  return TABLE.get(nameKey(vroid === null ? tail : vroid[1])) ?? null;
}
