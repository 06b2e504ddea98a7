/**
 * The transform of an FBX node as Autodesk documents it, matrix by matrix: 4×4 as rows, multiplied with column vectors. No code shared
 * with src.
 */
export type Matrix = readonly (readonly number[])[];
type Vector = readonly number[];

export interface NodeValues {
  readonly translation: Vector;
  /** Degrees. */
  readonly rotation: Vector;
  readonly scale: Vector;
  /** 0…5: XYZ, XZY, YZX, YXZ, ZXY, ZYX; the first letter rotates first. */
  readonly order: number;
  readonly preRotation: Vector;
  readonly postRotation: Vector;
  readonly rotationOffset: Vector;
  readonly rotationPivot: Vector;
  readonly scalingOffset: Vector;
  readonly scalingPivot: Vector;
}

export function multiplied(...matrices: readonly Matrix[]): Matrix {
  return matrices.reduce((a, b) =>
    a.map((row) => [0, 1, 2, 3].map((c) => row.reduce((sum, value, k) => sum + value * b[k][c], 0))),
  );
}

function translated([x, y, z]: Vector): Matrix {
  return [
    [1, 0, 0, x],
    [0, 1, 0, y],
    [0, 0, 1, z],
    [0, 0, 0, 1],
  ];
}

export function scaled([x, y, z]: Vector): Matrix {
  return [
    [x, 0, 0, 0],
    [0, y, 0, 0],
    [0, 0, z, 0],
    [0, 0, 0, 1],
  ];
}

function aboutAxis(axis: string, degrees: number): Matrix {
  const c = Math.cos((degrees * Math.PI) / 180);
  const s = Math.sin((degrees * Math.PI) / 180);
  if (axis === 'X')
    return [
      [1, 0, 0, 0],
      [0, c, -s, 0],
      [0, s, c, 0],
      [0, 0, 0, 1],
    ];
  if (axis === 'Y')
    return [
      [c, 0, s, 0],
      [0, 1, 0, 0],
      [-s, 0, c, 0],
      [0, 0, 0, 1],
    ];
  return [
    [c, -s, 0, 0],
    [s, c, 0, 0],
    [0, 0, 1, 0],
    [0, 0, 0, 1],
  ];
}

const ORDERS = ['XYZ', 'XZY', 'YZX', 'YXZ', 'ZXY', 'ZYX'];

/** The axis that rotates first is next to the vector: rightmost. */
function rotation(degrees: Vector, order: number): Matrix {
  return multiplied(...[...ORDERS[order]].reverse().map((axis) => aboutAxis(axis, degrees['XYZ'.indexOf(axis)])));
}

function transposed(matrix: Matrix): Matrix {
  return matrix.map((row, r) => row.map((_, c) => matrix[c][r]));
}

function negative(v: Vector): Vector {
  return v.map((x) => -x);
}

/** T · Roff · Rp · Rpre · R · Rpost⁻¹ · Rp⁻¹ · Soff · Sp · S · Sp⁻¹ */
export function localTransform(node: NodeValues): Matrix {
  return multiplied(
    translated(node.translation),
    translated(node.rotationOffset),
    translated(node.rotationPivot),
    rotation(node.preRotation, 0),
    rotation(node.rotation, node.order),
    transposed(rotation(node.postRotation, 0)),
    translated(negative(node.rotationPivot)),
    translated(node.scalingOffset),
    translated(node.scalingPivot),
    scaled(node.scale),
    translated(negative(node.scalingPivot)),
  );
}

/** Returns 16 numbers, column-major. */
export function columns(matrix: Matrix): number[] {
  return [0, 1, 2, 3].flatMap((c) => matrix.map((row) => row[c]));
}
