/** Parses PMD files: the models of older versions of MikuMikuDance. */
import { geometryBudget } from '../../../core/asset/geometry-budget.ts';
import {
  type ByteCursor,
  byteCursor,
  checkCount,
  readCount,
  readF32,
  readFloats,
  readU8,
  readU16,
  readVector,
  take,
} from '../byte-cursor.ts';
import { decodeField } from '../shift-jis.ts';
import { checkedModel } from './checked-model.ts';
import {
  type AngleLimits,
  emptyMesh,
  type MmdBone,
  type MmdIk,
  type MmdMaterial,
  type MmdMesh,
  type MmdModel,
  type MmdMorph,
} from './mmd-model.ts';

const NAME = 20;
const COMMENT = 256;
/** Kinds of bones: one that rotates with another, and one that rotates by a share of another. */
const ROTATES_WITH = 5;
const ROTATES_BY_SHARE = 9;
/** A knee bends backward only, by at least half a degree: MikuMikuDance does this for bones of this name. */
const KNEE = /ひざ/;
const KNEE_LIMITS: AngleLimits = { least: [-Math.PI, 0, 0], greatest: [-Math.PI / 360, 0, 0] };
/** The angle of IK in a PMD is a share of this many radians. */
const ANGLE_UNIT = 4;
const NONE = 0xffff;

function readName(cursor: ByteCursor, bytes: number, what: string): string {
  const at = take(cursor, bytes, what);
  return decodeField(cursor.bytes.subarray(at, at + bytes));
}

function readVertices(cursor: ByteCursor): Omit<MmdMesh, 'indices'> {
  const count = readCount(cursor, 38, 'vertices');
  geometryBudget('MMD_LIMIT').take(16 * count);
  const mesh = emptyMesh(count);
  for (let vertex = 0; vertex < count; vertex++) {
    mesh.positions.set(readFloats(cursor, 3, 'a vertex'), 3 * vertex);
    mesh.normals.set(readFloats(cursor, 3, 'a vertex'), 3 * vertex);
    mesh.uvs.set(readFloats(cursor, 2, 'a vertex'), 2 * vertex);
    mesh.bones.set([readU16(cursor, 'a vertex'), readU16(cursor, 'a vertex')], 4 * vertex);
    const weight = readU8(cursor, 'a vertex') / 100;
    mesh.weights.set([weight, 1 - weight], 4 * vertex);
    readU8(cursor, 'a vertex');
  }
  return mesh;
}

function readMaterial(cursor: ByteCursor, index: number): MmdMaterial {
  const diffuse = [...readVector(cursor, 'a material'), readF32(cursor, 'a material')] as const;
  take(cursor, 30, 'a material');
  const indexCount = cursor.view.getUint32(take(cursor, 4, 'a material'), true);
  // A sphere map may follow the texture: `skin.bmp*shine.sph`.
  const texture =
    readName(cursor, NAME, 'a material')
      .split('*')
      .find((path) => !/\.sp[ha]$/i.test(path)) ?? '';
  return { name: `material ${index + 1}`, diffuse, texture, isDoubleSided: diffuse[3] < 1, indexCount };
}

/** A bone and the number that means its IK bone, the bone that it rotates with, or a share. */
interface ReadBone {
  readonly bone: MmdBone;
  readonly kind: number;
  readonly tail: number;
  readonly related: number;
}

function readBone(cursor: ByteCursor): ReadBone {
  const name = readName(cursor, NAME, 'a bone');
  const parent = readU16(cursor, 'a bone');
  const tail = readU16(cursor, 'a bone');
  const kind = readU8(cursor, 'a bone');
  const related = readU16(cursor, 'a bone');
  const position = readVector(cursor, 'a bone');
  const bone = { name, parent: parent === NONE ? -1 : parent, position, layer: 0, isAfterPhysics: false };
  return { bone: { ...bone, append: null, axis: null, ik: null }, kind, tail, related };
}

function readIk(cursor: ByteCursor, bones: readonly ReadBone[]): [bone: number, ik: MmdIk] {
  const bone = readU16(cursor, 'IK');
  const effector = readU16(cursor, 'IK');
  const count = readU8(cursor, 'IK');
  const loops = readU16(cursor, 'IK');
  const angle = readF32(cursor, 'IK') * ANGLE_UNIT;
  const links = Array.from({ length: count }, () => {
    const link = readU16(cursor, 'a link of IK');
    return { bone: link, limits: KNEE.test(bones[link]?.bone.name ?? '') ? KNEE_LIMITS : null };
  });
  return [bone, { effector, loops, angle, links }];
}

function appendOf({ kind, tail, related }: ReadBone): MmdBone['append'] {
  const rotation = { rotates: true, moves: false, isLocal: false };
  if (kind === ROTATES_WITH) return { source: related, ratio: 1, ...rotation };
  return kind === ROTATES_BY_SHARE ? { source: tail, ratio: related / 100, ...rotation } : null;
}

/** Reads the morphs, whose vertices are numbers in the list of the first one, the base. */
function readMorphs(cursor: ByteCursor): MmdMorph[] {
  const count = readU16(cursor, 'the number of morphs');
  checkCount(cursor, count, 25, 'morphs', cursor.at - 2);
  const morphs: MmdMorph[] = [];
  let base: Uint32Array = new Uint32Array(0);
  for (let k = 0; k < count; k++) {
    const name = readName(cursor, NAME, 'a morph');
    const size = readCount({ ...cursor }, 16, 'offsets of a morph');
    take(cursor, 4, 'a morph');
    const isBase = readU8(cursor, 'a morph') === 0;
    checkCount(cursor, size, 16, 'offsets of a morph', cursor.at);
    const numbers = new Uint32Array(size);
    const offsets = new Float32Array(3 * size);
    for (let n = 0; n < size; n++) {
      numbers[n] = cursor.view.getUint32(take(cursor, 4, 'a morph'), true);
      offsets.set(readFloats(cursor, 3, 'a morph'), 3 * n);
    }
    if (isBase) base = numbers;
    else morphs.push({ name, kind: 'vertex', vertices: numbers.map((number) => base[number] ?? 0xffffffff), offsets });
  }
  return morphs;
}

/** Parses a PMD. Throws FormatError `MMD_SYNTAX` for other content; `MMD_LIMIT` for a mesh beyond a gigabyte. */
export function parsePmd(bytes: Uint8Array): MmdModel {
  const cursor = byteCursor(bytes, 'PMD');
  take(cursor, 7, 'the signature');
  const name = readName(cursor, NAME, 'the name of the model');
  take(cursor, COMMENT, 'the comment');
  const vertices = readVertices(cursor);
  const corners = readCount(cursor, 2, 'corners of triangles');
  const indices = Uint32Array.from({ length: corners }, () => readU16(cursor, 'a triangle'));
  const materialCount = readCount(cursor, 70, 'materials');
  const materials = Array.from({ length: materialCount }, (_, k) => readMaterial(cursor, k));
  const boneCount = readU16(cursor, 'the number of bones');
  checkCount(cursor, boneCount, 39, 'bones', cursor.at - 2);
  const read = Array.from({ length: boneCount }, () => readBone(cursor));
  const ikCount = readU16(cursor, 'the number of IK bones');
  checkCount(cursor, ikCount, 11, 'IK bones', cursor.at - 2);
  const iks = new Map(Array.from({ length: ikCount }, () => readIk(cursor, read)));
  const morphs = cursor.at === bytes.length ? [] : readMorphs(cursor);
  const bones = read.map((one, k) => ({ ...one.bone, append: appendOf(one), ik: iks.get(k) ?? null }));
  const mesh = vertices.positions.length === 0 || indices.length === 0 ? null : { ...vertices, indices };
  return checkedModel({ kind: 'PMD', name, bones, mesh, materials, morphs, issues: [] });
}
