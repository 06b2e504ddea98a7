/** Demo characters as USD layers: a skeleton, a mesh with four joints per vertex, and takes with a sample at every frame. */
import { type Clip, MATRIX_STRIDE, POSE_STRIDE, sampleClip } from 'anyrig';
import { type Layer, parseUsda } from 'anyrig/usd';
import * as mat4 from '../src/core/math/mat4.ts';
import { PATH_OFFSET } from '../src/core/skeleton/skeleton.ts';
import type { DemoCharacter } from '../src/demo/characters/character.ts';
import { type CharacterMesh, makeMesh } from '../src/demo/characters/mesh.ts';
import { encodeMotion } from '../src/demo/files/encode.ts';
import { makeWalk } from '../src/demo/motions/walk.ts';
import type { FieldValue } from '../src/formats/usd/layer/layer.ts';
import type { NumericValue } from '../src/formats/usd/layer/value.ts';

/** Samples per second of the takes. */
export const FRAMES_PER_SECOND = 30;
/** Playback speed of the walk, chosen so that no two frames sample the same time of the cycle. */
const SPEED = 0.9871;
const JOINTS_PER_VERTEX = 4;
const COLOR = [0.2, 0.3, 0.4] as const;
const API = 'prepend apiSchemas = ["SkelBindingAPI"]';

/** Lists the joint paths of a character: all its nodes. */
function jointPaths({ skeleton }: DemoCharacter): string[] {
  const paths: string[] = [];
  skeleton.names.forEach((name, node) => {
    const parent = skeleton.parents[node];
    const own = name.replace(/\W/g, '_');
    paths.push(parent < 0 ? own : `${paths[parent]}/${own}`);
  });
  return paths;
}

function tokens(words: readonly string[]): string {
  return `[${words.map((word) => `"${word}"`).join(', ')}]`;
}

/** Writes a character as USDA below a SkelRoot (`Skel`, `Mesh`), without its arrays, which {@link fillCharacter} adds. */
export function characterText(character: DemoCharacter, head: string, inside: string): string {
  return `${head} (${API}) {
    rel skel:skeleton = <Skel>
    def Skeleton "Skel" (${API}) {
      uniform token[] joints = ${tokens(jointPaths(character))}
      uniform matrix4d[] bindTransforms
      uniform matrix4d[] restTransforms
    }
    def Mesh "Mesh" (${API}) {
      point3f[] points
      normal3f[] normals (interpolation = "vertex")
      int[] faceVertexCounts
      int[] faceVertexIndices
      uniform token subdivisionScheme = "none"
      int[] primvars:skel:jointIndices (elementSize = ${JOINTS_PER_VERTEX}
        interpolation = "vertex")
      float[] primvars:skel:jointWeights (elementSize = ${JOINTS_PER_VERTEX}
        interpolation = "vertex")
    }
    ${inside}
  }`;
}

/** Writes a SkelAnimation as USDA without its samples, which {@link fillTake} adds. */
export function takeText(character: DemoCharacter, name: string): string {
  return `def SkelAnimation "${name}" {
    uniform token[] joints = ${tokens(jointPaths(character))}
    float3[] translations
    quatf[] rotations
    half3[] scales
  }`;
}

function array(type: NumericValue['type'], numbers: NumericValue['numbers']): NumericValue {
  return { type, isArray: true, numbers };
}

function setField(layer: Layer, path: string, field: string, value: FieldValue): void {
  const spec = layer.specs.get(path);
  if (spec === undefined) throw new Error(`The layer has no spec at ${path}.`);
  spec.fields.set(field, value);
}

/** Skins every vertex to its four nearest joints with weights by distance; the demo mesh itself is nearly rigid. */
function spreadInfluences(
  character: DemoCharacter,
  { positions }: CharacterMesh,
): { joints: Int32Array; weights: Float32Array } {
  const bind = character.skeleton.bind as Float32Array;
  const count = positions.length / 3;
  const joints = new Int32Array(count * JOINTS_PER_VERTEX);
  const weights = new Float32Array(count * JOINTS_PER_VERTEX);
  const nodes = Array.from(character.skeleton.names.keys());
  for (let vertex = 0; vertex < count; vertex++) {
    const [x, y, z] = positions.subarray(3 * vertex, 3 * vertex + 3);
    const near = nodes
      .map((node) => {
        const at = node * MATRIX_STRIDE + 12;
        return { node, weight: 1 / (Math.hypot(bind[at] - x, bind[at + 1] - y, bind[at + 2] - z) ** 2 + 1e-4) };
      })
      .sort((a, b) => b.weight - a.weight)
      .slice(0, JOINTS_PER_VERTEX);
    const sum = near.reduce((total, { weight }) => total + weight, 0);
    near.forEach(({ node, weight }, k) => {
      joints[vertex * JOINTS_PER_VERTEX + k] = node;
      weights[vertex * JOINTS_PER_VERTEX + k] = weight / sum;
    });
  }
  return { joints, weights };
}

/** Adds the arrays of a character to the prim that {@link characterText} wrote; `detail` is the mesh density. */
export function fillCharacter(layer: Layer, root: string, character: DemoCharacter, detail: number): void {
  const { skeleton } = character;
  const rest = new Float64Array(skeleton.names.length * MATRIX_STRIDE);
  skeleton.names.forEach((_, node) => {
    mat4.compose(rest, node * MATRIX_STRIDE, skeleton.rest, node * POSE_STRIDE);
  });
  const mesh = makeMesh(character, COLOR, detail);
  const { joints, weights } = spreadInfluences(character, mesh);
  const set = (path: string, value: NumericValue): void => setField(layer, `${root}/${path}`, 'default', value);
  set('Skel.bindTransforms', array('matrix4d', Float64Array.from(skeleton.bind as Float32Array)));
  set('Skel.restTransforms', array('matrix4d', rest));
  set('Mesh.points', array('float3', mesh.positions));
  set('Mesh.normals', array('float3', mesh.normals));
  set('Mesh.faceVertexCounts', array('int', new Int32Array(mesh.indices.length / 3).fill(3)));
  set('Mesh.faceVertexIndices', array('int', Int32Array.from(mesh.indices)));
  set('Mesh.primvars:skel:jointIndices', array('int', joints));
  set('Mesh.primvars:skel:jointWeights', array('float', weights));
}

/** Adds the samples of a take: a looped walk that starts at `start` seconds, with a breathing chest. All frames differ, as in a recording. */
export function fillTake(layer: Layer, path: string, character: DemoCharacter, frames: number, start: number): void {
  const clip: Clip = encodeMotion(character, makeWalk(character.figure));
  const count = character.skeleton.names.length;
  const pose = Float64Array.from(character.skeleton.rest);
  const chest = character.bones[8];
  const samples = { translations: [] as NumericValue[], rotations: [] as NumericValue[], scales: [] as NumericValue[] };
  const take = (width: number, from: number): Float32Array =>
    Float32Array.from(
      { length: count * width },
      (_, i) => pose[POSE_STRIDE * Math.floor(i / width) + from + (i % width)],
    );
  for (let frame = 0; frame < frames; frame++) {
    sampleClip(clip, (start + (SPEED * frame) / FRAMES_PER_SECOND) % clip.duration, pose);
    pose.fill(1 + 0.02 * Math.sin(frame / 10), chest * POSE_STRIDE + PATH_OFFSET.scale, (chest + 1) * POSE_STRIDE);
    samples.translations.push(array('float3', take(3, PATH_OFFSET.translation)));
    samples.rotations.push(array('quatf', take(4, PATH_OFFSET.rotation)));
    samples.scales.push(array('half3', take(3, PATH_OFFSET.scale)));
  }
  const times = Float64Array.from({ length: frames }, (_, frame) => frame);
  for (const [name, values] of Object.entries(samples)) {
    setField(layer, `${path}.${name}`, 'timeSamples', { type: 'timeSamples', times, values });
  }
}

/** Creates a layer with one character and one take: `/Hero` with `Skel`, `Mesh` and `Take`. */
export function characterLayer(character: DemoCharacter, detail: number, frames: number): Layer {
  const take = takeText(character, 'Take');
  const text = characterText(character, 'def SkelRoot "Hero"', `rel skel:animationSource = <Take>\n${take}`);
  const layer = parseUsda(
    `#usda 1.0\n(defaultPrim = "Hero"\nmetersPerUnit = 1\nupAxis = "Y"\ntimeCodesPerSecond = ${FRAMES_PER_SECOND})\n${text}\n`,
  );
  fillCharacter(layer, '/Hero', character, detail);
  fillTake(layer, '/Hero/Take', character, frames, 0);
  return layer;
}
