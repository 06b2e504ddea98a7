/** Small files of MMD: motions (VMD, VPD) and models (PMX, PMD), written byte by byte. */
import type { MmdBone, MmdModel } from '../../../src/formats/mmd/model/mmd-model.ts';
import { standardModel } from '../../../src/formats/mmd/model/standard-model.ts';

/** Characters of Shift-JIS and their bytes. */
const SHIFT_JIS: ReadonlyMap<string, readonly number[]> = (() => {
  const decoder = new TextDecoder('shift_jis');
  const table = new Map<string, readonly number[]>();
  for (let lead = 0x81; lead <= 0xfc; lead++) {
    if (lead >= 0xa0 && lead <= 0xdf) {
      table.set(decoder.decode(Uint8Array.of(lead)), [lead]);
      continue;
    }
    for (let trail = 0x40; trail <= 0xfc; trail++) {
      const character = decoder.decode(Uint8Array.of(lead, trail));
      if (character.length === 1 && character !== '\uFFFD' && !table.has(character))
        table.set(character, [lead, trail]);
    }
  }
  return table;
})();

/** Encodes text as Shift-JIS. */
export function shiftJis(text: string): number[] {
  return [...text].flatMap((character) => [...(SHIFT_JIS.get(character) ?? [character.charCodeAt(0)])]);
}

/** A field of a fixed length: the text is cut to it; a shorter one is ended by a zero and filled. */
export function field(text: string, bytes: number, fill = 0): number[] {
  const encoded = shiftJis(text).slice(0, bytes);
  if (encoded.length < bytes) encoded.push(0);
  return [...encoded, ...Array<number>(bytes - encoded.length).fill(fill)];
}

function u16(value: number): number[] {
  return [value & 255, (value >> 8) & 255];
}

function u32(value: number): number[] {
  return [...new Uint8Array(Uint32Array.of(value).buffer)];
}

function f32(...values: readonly number[]): number[] {
  return [...new Uint8Array(Float32Array.from(values).buffer)];
}

/** A key of a bone, with what is usual left out. */
export interface BoneKey {
  readonly bone: string;
  readonly frame?: number;
  readonly at?: readonly [number, number, number];
  readonly turn?: readonly [number, number, number, number];
  /** x1 y1 x2 y2 of x, y, z and the rotation. */
  readonly curves?: readonly (readonly [number, number, number, number])[];
}

/** A rotation about an axis, in degrees. */
export function turned(axis: 'x' | 'y' | 'z', degrees: number): [number, number, number, number] {
  const half = (degrees * Math.PI) / 360;
  const out: [number, number, number, number] = [0, 0, 0, Math.cos(half)];
  out['xyz'.indexOf(axis)] = Math.sin(half);
  return out;
}

const LINEAR = [20, 20, 107, 107] as const;

/** The 64 bytes of curves, as MMD writes them: rows that lose their first byte, and the switch of physics in the first one. */
function curveBytes(curves: BoneKey['curves']): number[] {
  const [x, y, z, r] = curves ?? [LINEAR, LINEAR, LINEAR, LINEAR];
  const row = [0, 1, 2, 3].flatMap((point) => [x[point], y[point], z[point], r[point]]);
  const rows = [0, 1, 2, 3].flatMap((shift) => [...row.slice(shift), ...Array<number>(shift).fill(0)]);
  rows[2] = 0x63;
  rows[3] = 0x0f;
  return rows;
}

/** What a VMD holds. */
export interface VmdContent {
  readonly model?: string;
  readonly signature?: string;
  readonly bones?: readonly BoneKey[];
  readonly morphs?: readonly { readonly morph: string; readonly frame?: number; readonly weight: number }[];
  /** Number of keys of a camera. */
  readonly camera?: number;
  /** Frames at which IK bones are switched; without them the section is missing, as in old files. */
  readonly ik?: readonly { readonly frame: number; readonly states: Readonly<Record<string, boolean>> }[];
  /** Bytes after the zero that ends a name. */
  readonly fill?: number;
}

/** Writes a VMD. */
export function vmdBytes({
  model = '初音ミク',
  signature = 'Vocaloid Motion Data 0002',
  fill = 0,
  ...content
}: VmdContent): Uint8Array {
  const { bones = [], morphs = [], camera = 0, ik } = content;
  const bytes = [...field(signature, 30), ...field(model, 20, fill), ...u32(bones.length)];
  for (const { bone, frame = 0, at = [0, 0, 0], turn = [0, 0, 0, 1], curves } of bones)
    bytes.push(...field(bone, 15, fill), ...u32(frame), ...f32(...at, ...turn), ...curveBytes(curves));
  bytes.push(...u32(morphs.length));
  for (const { morph, frame = 0, weight } of morphs)
    bytes.push(...field(morph, 15, fill), ...u32(frame), ...f32(weight));
  bytes.push(...u32(camera), ...Array<number>(61 * camera).fill(0), ...u32(0), ...u32(0));
  if (ik !== undefined) bytes.push(...u32(ik.length));
  for (const { frame, states } of ik ?? []) {
    bytes.push(...u32(frame), 1, ...u32(Object.keys(states).length));
    for (const [name, isOn] of Object.entries(states)) bytes.push(...field(name, 20, fill), isOn ? 1 : 0);
  }
  return Uint8Array.from(bytes);
}

/** Writes a VPD. */
export function vpdBytes(bones: readonly BoneKey[]): Uint8Array {
  const entries = bones.map(
    ({ bone, at = [0, 0, 0], turn = [0, 0, 0, 1] }, k) =>
      `Bone${k}{${bone}\r\n  ${at.join(',')};\t// trans x,y,z\r\n  ${turn.join(',')};\t// Quaternion x,y,z,w\r\n}\r\n`,
  );
  return Uint8Array.from(
    shiftJis(`Vocaloid Pose Data file\r\n\r\nmiku.osm;\t// model\r\n${bones.length};\r\n\r\n${entries.join('\r\n')}`),
  );
}

/** A dance of two seconds: steps by IK, the center down and up, arms, a spin, a wink. */
export function danceVmd(): Uint8Array {
  const bones: BoneKey[] = [];
  for (const [step, frame] of [0, 15, 30, 45, 60].entries()) {
    const side = step % 2 === 0 ? 1 : -1;
    bones.push(
      {
        bone: 'センター',
        frame,
        at: [0.8 * side, step % 2 === 0 ? 0 : -1.5, 0],
        curves: [LINEAR, [64, 0, 64, 127], LINEAR, LINEAR],
      },
      { bone: '左足ＩＫ', frame, at: [side > 0 ? 0.5 : 0, side > 0 ? 0 : 1.5, side > 0 ? 0 : -1] },
      { bone: '右足ＩＫ', frame, at: [side > 0 ? 0 : -0.5, 0, 0] },
      { bone: '下半身', frame, turn: turned('y', 20 * side) },
      { bone: '上半身', frame, turn: turned('y', -15 * side) },
      { bone: '左腕', frame, turn: turned('z', 30 + 20 * side) },
      { bone: '右腕', frame, turn: turned('z', -50 + 20 * side) },
      { bone: '左ひじ', frame, turn: turned('y', 30) },
    );
  }
  const morphs = [0, 30, 60].map((frame) => ({ morph: 'まばたき', frame, weight: frame === 30 ? 1 : 0 }));
  return vmdBytes({ bones, morphs: [...morphs, { morph: 'あ', frame: 20, weight: 0.5 }], ik: [] });
}

/** A pose: arms up, one knee bent. */
export function poseVpd(): Uint8Array {
  return vpdBytes([
    { bone: '左腕', turn: turned('z', 70) },
    { bone: '右腕', turn: turned('z', -70) },
    { bone: '左足ＩＫ', at: [0, 2, -1] },
  ]);
}

/** Adds a mesh to a model: a triangle at each bone, and a morph that moves the first vertex. */
export function withMesh(model: MmdModel): MmdModel {
  const count = 3 * model.bones.length;
  const positions = Float32Array.from({ length: 3 * count }, (_, at) => {
    const { position } = model.bones[Math.floor(at / 9)];
    return position[at % 3] + (at % 9 === 3 || at % 9 === 7 ? 0.3 : 0);
  });
  return {
    ...model,
    mesh: {
      positions,
      normals: Float32Array.from({ length: 3 * count }, (_, at) => (at % 3 === 2 ? -1 : 0)),
      uvs: new Float32Array(2 * count),
      bones: Int32Array.from({ length: 4 * count }, (_, at) => (at % 4 === 0 ? Math.floor(at / 12) : 0)),
      weights: Float32Array.from({ length: 4 * count }, (_, at) => (at % 4 === 0 ? 1 : 0)),
      indices: Uint32Array.from({ length: count }, (_, corner) => corner),
    },
    materials: [
      { name: '肌', diffuse: [1, 0.8, 0.7, 1], texture: 'tex\\skin.png', isDoubleSided: false, indexCount: count },
    ],
    morphs: [
      { name: 'まばたき', kind: 'vertex', vertices: Uint32Array.of(0), offsets: Float32Array.of(0, 1, 2) },
      { name: '笑い', kind: 'group', parts: [{ morph: 0, weight: 0.5 }] },
    ],
  };
}

/** Writes text of a PMX in UTF-16. */
function pmxText(text: string): number[] {
  return [...u32(2 * text.length), ...[...text].flatMap((one) => u16(one.charCodeAt(0)))];
}

function pmxBone({ name, parent, position, layer, isAfterPhysics, append, axis, ik }: MmdBone): number[] {
  const flags =
    (ik === null ? 0 : 0x20) |
    (append?.isLocal === true ? 0x80 : 0) |
    (append?.rotates === true ? 0x100 : 0) |
    (append?.moves === true ? 0x200 : 0) |
    (axis === null ? 0 : 0x400) |
    (isAfterPhysics ? 0x1000 : 0);
  const bytes = [
    ...pmxText(name),
    ...pmxText(''),
    ...f32(...position),
    ...u16(parent),
    ...u32(layer),
    ...u16(flags),
    ...f32(0, 0, 0),
  ];
  if (append !== null) bytes.push(...u16(append.source), ...f32(append.ratio));
  if (axis !== null) bytes.push(...f32(...axis));
  if (ik === null) return bytes;
  bytes.push(...u16(ik.effector), ...u32(ik.loops), ...f32(ik.angle), ...u32(ik.links.length));
  for (const { bone, limits } of ik.links)
    bytes.push(
      ...u16(bone),
      limits === null ? 0 : 1,
      ...(limits === null ? [] : f32(...limits.least, ...limits.greatest)),
    );
  return bytes;
}

/** Writes a PMX 2.0, by default of the standard skeleton with a mesh. */
export function pmxBytes(model: MmdModel = withMesh(standardModel())): Uint8Array {
  const { mesh, bones, materials, morphs, name } = model;
  const bytes = [
    ...shiftJis('PMX '),
    ...f32(2),
    8,
    0,
    0,
    4,
    1,
    1,
    2,
    1,
    1,
    ...pmxText(name),
    ...pmxText(''),
    ...pmxText(''),
    ...pmxText(''),
  ];
  const count = (mesh?.positions.length ?? 0) / 3;
  bytes.push(...u32(count));
  for (let vertex = 0; mesh !== null && vertex < count; vertex++) {
    const at = 3 * vertex;
    bytes.push(...f32(...mesh.positions.subarray(at, at + 3), ...mesh.normals.subarray(at, at + 3), 0, 0));
    bytes.push(0, ...u16(mesh.bones[4 * vertex]), ...f32(1));
  }
  bytes.push(...u32(mesh?.indices.length ?? 0), ...[...(mesh?.indices ?? [])].flatMap(u32));
  const textures = [...new Set(materials.map(({ texture }) => texture))];
  bytes.push(...u32(textures.length), ...textures.flatMap(pmxText), ...u32(materials.length));
  for (const { name: material, diffuse, texture, indexCount } of materials) {
    bytes.push(
      ...pmxText(material),
      ...pmxText(''),
      ...f32(...diffuse, 0, 0, 0, 5, 0.5, 0.5, 0.5),
      0,
      ...f32(0, 0, 0, 1, 1),
    );
    bytes.push(textures.indexOf(texture), 255, 0, 1, 0, ...pmxText(''), ...u32(indexCount));
  }
  bytes.push(...u32(bones.length), ...bones.flatMap(pmxBone), ...u32(morphs.length));
  for (const morph of morphs) {
    bytes.push(...pmxText(morph.name), ...pmxText(''), 1, morph.kind === 'group' ? 0 : 1);
    if (morph.kind === 'group') {
      bytes.push(...u32(morph.parts.length), ...morph.parts.flatMap((part) => [part.morph, ...f32(part.weight)]));
    } else if (morph.kind === 'vertex') {
      bytes.push(...u32(morph.vertices.length));
      for (const [k, vertex] of morph.vertices.entries())
        bytes.push(...u32(vertex), ...f32(...morph.offsets.subarray(3 * k, 3 * k + 3)));
    } else bytes.push(...u32(0));
  }
  return Uint8Array.from(bytes);
}

/** Writes a PMD of the bones of a model, with a triangle and a morph. */
export function pmdBytes(model: MmdModel = standardModel()): Uint8Array {
  const bytes = [...shiftJis('Pmd'), ...f32(1), ...field(model.name, 20), ...field('', 256), ...u32(3)];
  for (let vertex = 0; vertex < 3; vertex++)
    bytes.push(...f32(vertex === 1 ? 1 : 0, vertex === 2 ? 1 : 0, 0, 0, 0, -1, 0, 0), ...u16(0), ...u16(1), 75, 0);
  bytes.push(...u32(3), ...u16(0), ...u16(1), ...u16(2), ...u32(1));
  bytes.push(...f32(1, 0.5, 0.5, 1, 5, 0, 0, 0, 0.5, 0.5, 0.5), 0, 0, ...u32(3), ...field('skin.bmp*shine.sph', 20));
  bytes.push(...u16(model.bones.length));
  for (const { name, parent, position, append } of model.bones) {
    const kind = append === null ? 0 : 9;
    bytes.push(
      ...field(name, 20),
      ...u16(parent),
      ...u16(append?.source ?? 0),
      kind,
      ...u16(Math.round(100 * (append?.ratio ?? 0))),
      ...f32(...position),
    );
  }
  const iks = model.bones.flatMap(({ ik }, bone) => (ik === null ? [] : [{ ...ik, bone }]));
  bytes.push(...u16(iks.length));
  for (const { bone, effector, loops, angle, links } of iks)
    bytes.push(
      ...u16(bone),
      ...u16(effector),
      links.length,
      ...u16(loops),
      ...f32(angle / 4),
      ...links.flatMap((link) => u16(link.bone)),
    );
  bytes.push(...u16(2), ...field('base', 20), ...u32(1), 0, ...u32(1), ...f32(0, 0, 0));
  bytes.push(...field('あ', 20), ...u32(1), 1, ...u32(0), ...f32(0, 0, 1));
  return Uint8Array.from(bytes);
}
