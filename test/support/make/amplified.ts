/** Small files that ask for much work: shared geometry, long chains, many siblings, many clips. */
import { glbOf } from './glb.ts';

type Json = Record<string, unknown>;

/** Splits a GLB that `glbOf` or an exporter wrote into its JSON and its BIN chunk. */
function splitGlb(glb: Uint8Array): { json: Json; bin: Uint8Array } {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
  const length = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length))) as Json;
  return { json, bin: glb.slice(28 + length) };
}

function listOf(json: Json, name: string): Json[] {
  return (json[name] ?? []) as Json[];
}

/** Returns the first node that shows a skinned mesh, else one that shows a mesh, else one that shows nothing. */
function shownNode(json: Json): Json {
  const nodes = listOf(json, 'nodes');
  return nodes.find((node) => 'mesh' in node && 'skin' in node) ?? nodes.find((node) => 'mesh' in node) ?? {};
}

/** Adds nodes that show the mesh and the skin of a character again. A file without a scene stays as it is. */
export function withInstances(glb: Uint8Array, count: number): Buffer {
  const { json, bin } = splitGlb(glb);
  const nodes = listOf(json, 'nodes');
  const { mesh, skin } = shownNode(json);
  const [scene] = listOf(json, 'scenes');
  if (nodes.length === 0 || scene === undefined) return glbOf(json, bin);
  const first = nodes.length;
  for (let k = 0; k < count; k++) nodes.push({ mesh, skin });
  scene['nodes'] = [...(scene['nodes'] as number[]), ...Array.from({ length: count }, (_, k) => first + k)];
  return glbOf(json, bin);
}

/** Repeats the first primitive of a character's mesh. */
export function withPrimitives(glb: Uint8Array, count: number): Buffer {
  const { json, bin } = splitGlb(glb);
  const mesh = listOf(json, 'meshes')[shownNode(json)['mesh'] as number];
  if (mesh === undefined) return glbOf(json, bin);
  const [first] = mesh['primitives'] as Json[];
  mesh['primitives'] = [...(mesh['primitives'] as Json[]), ...Array.from({ length: count }, () => first)];
  return glbOf(json, bin);
}

/** Returns a GLB of one chain of nodes. */
export function chainGlb(count: number): Buffer {
  const nodes = Array.from({ length: count }, (_, k) => {
    return { translation: [0, 0.01, 0], ...(k + 1 < count ? { children: [k + 1] } : {}) };
  });
  return glbOf({ asset: { version: '2.0' }, scenes: [{ nodes: [0] }], nodes });
}

/** Returns a GLB of nodes below one root. */
export function siblingsGlb(count: number, nameOf: (k: number) => string = () => 'a'): Buffer {
  const children = Array.from({ length: count }, (_, k) => k + 1);
  const nodes = [{ name: 'root', children }, ...children.map((k) => ({ name: nameOf(k), translation: [0, 1, 0] }))];
  return glbOf({ asset: { version: '2.0' }, scenes: [{ nodes: [0] }], nodes });
}

/** Returns a GLB with one node and many clips of one track. */
export function clipsGlb(count: number, nameOf: (k: number) => string = () => 'a'): Buffer {
  const times = Float32Array.of(0, 1);
  const values = Float32Array.of(0, 0, 0, 0, 1, 0);
  const bin = Buffer.concat([Buffer.from(times.buffer), Buffer.from(values.buffer)]);
  return glbOf(
    {
      asset: { version: '2.0' },
      scenes: [{ nodes: [0] }],
      nodes: [{ name: 'hips', children: [1] }, { name: 'spine' }],
      buffers: [{ byteLength: bin.length }],
      bufferViews: [{ buffer: 0, byteLength: bin.length }],
      accessors: [
        { bufferView: 0, componentType: 5126, count: 2, type: 'SCALAR', min: [0], max: [1] },
        { bufferView: 0, byteOffset: 8, componentType: 5126, count: 2, type: 'VEC3' },
      ],
      animations: Array.from({ length: count }, (_, k) => ({
        name: nameOf(k),
        channels: [{ sampler: 0, target: { node: 0, path: 'translation' } }],
        samplers: [{ input: 0, output: 1 }],
      })),
    },
    bin,
  );
}

/** Returns a GLB with one clip that turns many siblings by the same sampler. */
export function sharedSamplerGlb(nodes: number, keys: number): Buffer {
  const times = Float32Array.from({ length: keys }, (_, k) => k / 30);
  const values = Float32Array.from({ length: 4 * keys }, (_, k) => (k % 4 === 3 ? 1 : 0));
  const bin = Buffer.concat([Buffer.from(times.buffer), Buffer.from(values.buffer)]);
  const children = Array.from({ length: nodes }, (_, k) => k + 1);
  return glbOf(
    {
      asset: { version: '2.0' },
      scenes: [{ nodes: [0] }],
      nodes: [{ name: 'root', children }, ...children.map(() => ({}))],
      buffers: [{ byteLength: bin.length }],
      bufferViews: [
        { buffer: 0, byteLength: times.byteLength },
        { buffer: 0, byteOffset: times.byteLength, byteLength: values.byteLength },
      ],
      accessors: [
        { bufferView: 0, componentType: 5126, count: keys, type: 'SCALAR', min: [0], max: [times[keys - 1]] },
        { bufferView: 1, componentType: 5126, count: keys, type: 'VEC4' },
      ],
      animations: [
        {
          channels: children.map((node) => ({ sampler: 0, target: { node, path: 'rotation' } })),
          samplers: [{ input: 0, output: 1 }],
        },
      ],
    },
    bin,
  );
}

/** Returns a GLB whose only skin has many bones, as siblings, and one triangle. */
export function bonesGlb(count: number): Buffer {
  const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
  const weights = Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);
  const joints = new Uint8Array(12);
  const bin = Buffer.concat([positions, weights, joints].map(({ buffer }) => Buffer.from(buffer)));
  const bones = Array.from({ length: count }, (_, k) => k + 2);
  return glbOf(
    {
      asset: { version: '2.0' },
      scenes: [{ nodes: [0, 1] }],
      nodes: [{ mesh: 0, skin: 0 }, { name: 'root', children: bones }, ...bones.map((k) => ({ name: `bone ${k}` }))],
      skins: [{ joints: [1, ...bones] }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0, WEIGHTS_0: 1, JOINTS_0: 2 } }] }],
      buffers: [{ byteLength: bin.length }],
      bufferViews: [{ buffer: 0, byteLength: bin.length }],
      accessors: [
        { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] },
        { bufferView: 0, byteOffset: 36, componentType: 5126, count: 3, type: 'VEC4' },
        { bufferView: 0, byteOffset: 84, componentType: 5121, count: 3, type: 'VEC4' },
      ],
    },
    bin,
  );
}

/** Returns a BVH of one chain. */
export function chainBvh(count: number): Buffer {
  const lines = ['HIERARCHY', 'ROOT a', '{', 'OFFSET 0 0 0', 'CHANNELS 3 Zrotation Xrotation Yrotation'];
  for (let k = 1; k < count; k++) lines.push(`JOINT a${k}`, '{', 'OFFSET 0 1 0', 'CHANNELS 0');
  lines.push('End Site', '{', 'OFFSET 0 1 0', '}', ...new Array<string>(count).fill('}'));
  lines.push('MOTION', 'Frames: 1', 'Frame Time: 0.1', '0 0 0', '');
  return Buffer.from(lines.join('\n'));
}

/** Returns a BVH of joints below one root. */
export function siblingsBvh(count: number, nameOf: (k: number) => string = () => 'a'): Buffer {
  const lines = ['HIERARCHY', 'ROOT root', '{', 'OFFSET 0 0 0', 'CHANNELS 3 Zrotation Xrotation Yrotation'];
  for (let k = 0; k < count; k++)
    lines.push(`JOINT ${nameOf(k)}`, '{', 'OFFSET 0 1 0', 'CHANNELS 0', 'End Site', '{', 'OFFSET 0 1 0', '}', '}');
  lines.push('}', 'MOTION', 'Frames: 1', 'Frame Time: 0.1', '0 0 0', '');
  return Buffer.from(lines.join('\n'));
}

/** Returns an ASCII FBX of one chain of limb nodes. */
export function chainFbx(count: number): Buffer {
  const lines = ['; FBX 7.4.0 project file', 'FBXHeaderExtension: {', 'FBXVersion: 7400', '}', 'Objects: {'];
  for (let k = 1; k <= count; k++) lines.push(`Model: ${k}, "Model::a", "LimbNode" {`, '}');
  lines.push('}', 'Connections: {');
  for (let k = 1; k <= count; k++) lines.push(`C: "OO",${k},${k - 1}`);
  lines.push('}', '');
  return Buffer.from(lines.join('\n'));
}
