import { FACE_CONVENTIONS, type ShapeNames } from './shape-names.ts';
import type { FaceShape } from './shapes.ts';

/** The shape that a name stands for, as a whole or in part. */
export interface FaceShapeMatch {
  readonly shape: FaceShape;
  /** Number of parts of the shape where the name stands for one part; 1 where it stands for the whole shape. */
  readonly parts: number;
}

/**
 * Normalizes a name for comparison: full-width letters become ASCII, a trailing side (`_L`, `.r`, `Right`, or a capital L or R after a
 * lowercase letter) becomes a word, list numbers (`A14_`) and separators are removed, letters become lowercase.
 */
export function nameKey(name: string): string {
  const plain = name.normalize('NFKC').replace(/^A\d\d_/, '');
  const sided = plain.replace(SIDE_END, (end) => (end.toLowerCase().endsWith('l') ? 'Left' : 'Right'));
  return sided.toLowerCase().replace(/[\s_.:-]+/g, '');
}

/** A single letter for the side at the end: after a separator, or a capital after a lowercase letter. */
const SIDE_END = /[\s_.-][lrLR]$|(?<=[a-z])[LR]$/;

function addAll(table: Map<string, FaceShapeMatch>, names: ShapeNames): void {
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

const TABLE: ReadonlyMap<string, FaceShapeMatch> = (() => {
  const table = new Map<string, FaceShapeMatch>();
  for (const names of Object.values(FACE_CONVENTIONS)) addAll(table, names);
  return table;
})();

/**
 * Finds the shape for a name of a morph target or an expression, in any of `FACE_CONVENTIONS`. If the whole name is unknown, prefixes that
 * modeling programs add are removed first: up to a dot or a colon, or before VRoid's `Fcl_` (`blendShape16.vrc_blink`).
 *
 * @returns The shape; null where no convention has the name.
 * @example
 * findFaceShape('Fcl_EYE_Close_L'); // { shape: 'eyeBlinkLeft', parts: 1 }
 */
export function findFaceShape(name: string): FaceShapeMatch | null {
  const whole = TABLE.get(nameKey(name));
  if (whole !== undefined) return whole;
  const tail = name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(':')) + 1);
  const vroid = /(?:^|_)(Fcl_.*)$/i.exec(tail);
  return TABLE.get(nameKey(vroid === null ? tail : vroid[1])) ?? null;
}
