/** Parses PMX files (2.0 and 2.1): models of MikuMikuDance. Rigid bodies and what follows the morphs are not read. */
import { geometryBudget } from '../../../core/asset/geometry-budget.ts';
import { FormatError } from '../../../core/report/format-error.ts';
import {
  type ByteCursor,
  byteCursor,
  readCount,
  readF32,
  readFloats,
  readU8,
  readU16,
  readU32,
  readVector,
  take,
} from '../byte-cursor.ts';
import { checkedModel } from './checked-model.ts';
import {
  type Append,
  emptyMesh,
  type IkLink,
  type MmdBone,
  type MmdIk,
  type MmdMaterial,
  type MmdMesh,
  type MmdModel,
  type MmdMorph,
} from './mmd-model.ts';

const BONE = { tailIsBone: 0x1, ik: 0x20, appendLocal: 0x80, rotates: 0x100, moves: 0x200 } as const;
const BONE_MORE = { fixedAxis: 0x400, localAxes: 0x800, afterPhysics: 0x1000, externalParent: 0x2000 } as const;
const DOUBLE_SIDED = 1;

/** Bytes of an offset of each kind of morph, beside its index: group, vertex, bone, UV (five), material, flip, impulse. */
const MORPH_BYTES = [4, 12, 28, 16, 16, 16, 16, 16, 113, 4, 25] as const;
const GROUP = 0;
const VERTEX = 1;

/** How the file writes text and indices. */
interface Header {
  readonly decoder: TextDecoder;
  readonly extraUvs: number;
  /** Bytes of an index of each kind. */
  readonly vertex: number;
  readonly texture: number;
  readonly material: number;
  readonly bone: number;
  readonly morph: number;
  readonly body: number;
}

function readHeader(cursor: ByteCursor): Header {
  take(cursor, 4, 'the signature');
  const version = readF32(cursor, 'the version');
  if (!(version >= 2 && version < 3)) {
    const message = `The PMX has version ${version}; expected 2.0 or 2.1. Save it as PMX 2.0`;
    throw new FormatError('MMD_SYNTAX', message, { offset: 4 });
  }
  const count = readU8(cursor, 'the number of settings');
  const at = take(cursor, count, 'the settings');
  const settings = Array.from(cursor.bytes.subarray(at, at + count));
  const [encoding, extraUvs, ...sizes] = settings;
  if (count < 8 || encoding > 1 || extraUvs > 4 || sizes.slice(0, 6).some((size) => ![1, 2, 4].includes(size))) {
    const message = `The PMX has the settings ${settings.join(', ')}; expected an encoding, a number of UVs and six sizes of 1, 2 or 4 bytes. Get the file again`;
    throw new FormatError('MMD_SYNTAX', message, { offset: at });
  }
  const [vertex, texture, material, bone, morph, body] = sizes;
  const decoder = new TextDecoder(encoding === 0 ? 'utf-16le' : 'utf-8');
  return { decoder, extraUvs, vertex, texture, material, bone, morph, body };
}

function readText(cursor: ByteCursor, { decoder }: Header, what: string): string {
  const length = readU32(cursor, what);
  const at = take(cursor, length, what);
  return decoder.decode(cursor.bytes.subarray(at, at + length)).replace(/\0+$/, '');
}

/** Reads an index; −1 for none. Those of vertices of one or two bytes have no sign. */
function readIndex(cursor: ByteCursor, size: number, isVertex = false): number {
  const at = take(cursor, size, 'an index');
  const { view } = cursor;
  if (size === 1) return isVertex ? view.getUint8(at) : view.getInt8(at);
  if (size === 2) return isVertex ? view.getUint16(at, true) : view.getInt16(at, true);
  return view.getInt32(at, true);
}

/** Bones and weights of each kind of deform: BDEF1, BDEF2, BDEF4, SDEF, QDEF. */
const BONES_OF_DEFORM = [1, 2, 4, 2, 4] as const;
const SDEF = 3;

function readVertices(cursor: ByteCursor, header: Header): Omit<MmdMesh, 'indices'> {
  const count = readCount(cursor, 38 + header.bone, 'vertices');
  geometryBudget('MMD_LIMIT').take(16 * count);
  const mesh = emptyMesh(count);
  for (let vertex = 0; vertex < count; vertex++) {
    mesh.positions.set(readFloats(cursor, 3, 'a vertex'), 3 * vertex);
    mesh.normals.set(readFloats(cursor, 3, 'a vertex'), 3 * vertex);
    mesh.uvs.set(readFloats(cursor, 2, 'a vertex'), 2 * vertex);
    take(cursor, 16 * header.extraUvs, 'a vertex');
    const { at } = cursor;
    const kind = readU8(cursor, 'the deform of a vertex');
    if (kind >= BONES_OF_DEFORM.length) {
      const message = `A vertex of the PMX has deform ${kind}; expected 0 to 4. The file is damaged; get it again`;
      throw new FormatError('MMD_SYNTAX', message, { offset: at });
    }
    const bones = BONES_OF_DEFORM[kind];
    for (let k = 0; k < bones; k++) mesh.bones[4 * vertex + k] = readIndex(cursor, header.bone);
    const weights = bones === 1 ? [1] : readFloats(cursor, bones === 2 ? 1 : 4, 'the weights of a vertex');
    if (bones === 2) weights.push(1 - weights[0]);
    mesh.weights.set(weights, 4 * vertex);
    // Three vectors that keep the volume of a joint.
    if (kind === SDEF) take(cursor, 36, 'a vertex');
    take(cursor, 4, 'the edge of a vertex');
  }
  return mesh;
}

function readIndices(cursor: ByteCursor, { vertex: size }: Header): Uint32Array {
  const count = readCount(cursor, size, 'corners of triangles');
  const indices = new Uint32Array(count);
  for (let k = 0; k < count; k++) indices[k] = readIndex(cursor, size, true);
  return indices;
}

function readMaterial(cursor: ByteCursor, header: Header, textures: readonly string[]): MmdMaterial {
  const name = readText(cursor, header, 'the name of a material');
  readText(cursor, header, 'the name of a material');
  const diffuse = [
    ...readVector(cursor, 'the color of a material'),
    readF32(cursor, 'the color of a material'),
  ] as const;
  take(cursor, 28, 'the colors of a material');
  const flags = readU8(cursor, 'a material');
  take(cursor, 20, 'the edge of a material');
  const texture = textures[readIndex(cursor, header.texture)] ?? '';
  readIndex(cursor, header.texture);
  readU8(cursor, 'the sphere mode of a material');
  const isShared = readU8(cursor, 'the toon of a material') !== 0;
  if (isShared) readU8(cursor, 'the toon of a material');
  else readIndex(cursor, header.texture);
  readText(cursor, header, 'the memo of a material');
  const indexCount = readU32(cursor, 'the size of a material');
  return { name, diffuse, texture, isDoubleSided: (flags & DOUBLE_SIDED) !== 0, indexCount };
}

function readIk(cursor: ByteCursor, { bone: size }: Header): MmdIk {
  const effector = readIndex(cursor, size);
  const loops = readU32(cursor, 'the loops of IK');
  const angle = readF32(cursor, 'the angle of IK');
  const count = readCount(cursor, size + 1, 'links of IK');
  const links: IkLink[] = [];
  for (let k = 0; k < count; k++) {
    const bone = readIndex(cursor, size);
    const isLimited = readU8(cursor, 'the limits of IK') !== 0;
    const limits = isLimited
      ? { least: readVector(cursor, 'the limits of IK'), greatest: readVector(cursor, 'the limits of IK') }
      : null;
    links.push({ bone, limits });
  }
  return { effector, loops, angle, links };
}

function readBone(cursor: ByteCursor, header: Header): MmdBone {
  const name = readText(cursor, header, 'the name of a bone');
  readText(cursor, header, 'the name of a bone');
  const position = readVector(cursor, 'the position of a bone');
  const parent = readIndex(cursor, header.bone);
  const layer = readU32(cursor, 'the layer of a bone') | 0;
  const flags = readU16(cursor, 'the flags of a bone');
  const has = (flag: number): boolean => (flags & flag) !== 0;
  if (has(BONE.tailIsBone)) readIndex(cursor, header.bone);
  else take(cursor, 12, 'the tail of a bone');
  let append: Append | null = null;
  if (has(BONE.rotates) || has(BONE.moves)) {
    const source = readIndex(cursor, header.bone);
    const ratio = readF32(cursor, 'the ratio of a bone');
    append = { source, ratio, rotates: has(BONE.rotates), moves: has(BONE.moves), isLocal: has(BONE.appendLocal) };
  }
  const axis = has(BONE_MORE.fixedAxis) ? readVector(cursor, 'the axis of a bone') : null;
  // Local axes only concern the handles with which people rotate a bone.
  if (has(BONE_MORE.localAxes)) take(cursor, 24, 'the axes of a bone');
  if (has(BONE_MORE.externalParent)) take(cursor, 4, 'the key of a bone');
  const ik = has(BONE.ik) ? readIk(cursor, header) : null;
  return { name, parent, position, layer, isAfterPhysics: has(BONE_MORE.afterPhysics), append, axis, ik };
}

function readMorph(cursor: ByteCursor, header: Header): MmdMorph {
  const name = readText(cursor, header, 'the name of a morph');
  readText(cursor, header, 'the name of a morph');
  readU8(cursor, 'the panel of a morph');
  const { at } = cursor;
  const kind = readU8(cursor, 'the kind of a morph');
  const bytes = MORPH_BYTES[kind];
  if (bytes === undefined) {
    const message = `A morph of the PMX has kind ${kind}; expected 0 to 10. The file is damaged; get it again`;
    throw new FormatError('MMD_SYNTAX', message, { offset: at });
  }
  const sizes = [header.morph, header.vertex, header.bone, ...Array(5).fill(header.vertex), header.material];
  const size: number = [...sizes, header.morph, header.body][kind];
  const count = readCount(cursor, size + bytes, 'offsets of a morph');
  if (kind === GROUP) {
    const parts = Array.from({ length: count }, () => {
      return { morph: readIndex(cursor, size), weight: readF32(cursor, 'the weight of a morph') };
    });
    return { name, kind: 'group', parts };
  }
  if (kind !== VERTEX) {
    take(cursor, count * (size + bytes), 'a morph');
    return { name, kind: 'other' };
  }
  const vertices = new Uint32Array(count);
  const offsets = new Float32Array(3 * count);
  for (let k = 0; k < count; k++) {
    vertices[k] = readIndex(cursor, size, true);
    offsets.set(readFloats(cursor, 3, 'an offset of a morph'), 3 * k);
  }
  return { name, kind: 'vertex', vertices, offsets };
}

function readList<T>(cursor: ByteCursor, leastBytes: number, what: string, read: () => T): T[] {
  const count = readCount(cursor, leastBytes, what);
  const list: T[] = [];
  for (let k = 0; k < count; k++) list.push(read());
  return list;
}

/** Parses a PMX. Throws FormatError `MMD_SYNTAX` for other content; `MMD_LIMIT` for a mesh beyond a gigabyte. */
export function parsePmx(bytes: Uint8Array): MmdModel {
  const cursor = byteCursor(bytes, 'PMX');
  const header = readHeader(cursor);
  const name = readText(cursor, header, 'the name of the model');
  for (const what of ['the English name', 'the comment', 'the English comment']) readText(cursor, header, what);
  const vertices = readVertices(cursor, header);
  const indices = readIndices(cursor, header);
  const textures = readList(cursor, 4, 'textures', () => readText(cursor, header, 'the path of a texture'));
  const materials = readList(cursor, 60, 'materials', () => readMaterial(cursor, header, textures));
  const bones = readList(cursor, 26, 'bones', () => readBone(cursor, header));
  // Small tools end the file after the bones.
  const morphs = cursor.at === bytes.length ? [] : readList(cursor, 14, 'morphs', () => readMorph(cursor, header));
  const mesh = vertices.positions.length === 0 || indices.length === 0 ? null : { ...vertices, indices };
  return checkedModel({ kind: 'PMX', name, bones, mesh, materials, morphs, issues: [] });
}
