/** Characters of the demo as layers of USD: a skeleton, a mesh whose vertices have four joints each, and takes with samples at every frame. */
import { type Clip, POSE_STRIDE, sampleClip } from 'anyrig';
import { MATRIX_STRIDE } from 'anyrig/deform';
import { mat4 } from 'anyrig/math';
import { type FieldValue, type Layer, type NumericValue, parseUsda } from 'anyrig/usd';
import type { DemoCharacter } from '../src/demo/characters/make-character.ts';
import { encodeMotion } from '../src/demo/files/encode.ts';
import { type CharacterMesh, makeMesh } from '../src/demo/characters/mesh.ts';
import { makeWalk } from '../src/demo/motions/walk.ts';

export const FRAMES_PER_SECOND = 30;
/** Of the walk: at this one it is never at the same place twice. */
const SPEED = 0.9871;
const JOINTS_PER_VERTEX = 4;
const COLOR = [0.2, 0.3, 0.4] as const;
const API = 'prepend apiSchemas = ["SkelBindingAPI"]';

/** Joints of a body as paths: all its nodes. */
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

/** A body below a SkelRoot: `Skel`, `Mesh`, as text without its arrays, which {@link fillCharacter} puts in. */
export function characterText(body: DemoCharacter, head: string, inside: string): string {
  return `${head} (${API}) {
    rel skel:skeleton = <Skel>
    def Skeleton "Skel" (${API}) {
      uniform token[] joints = ${tokens(jointPaths(body))}
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

/** A SkelAnimation as text without its samples, which {@link fillTake} puts in. */
export function takeText(body: DemoCharacter, name: string): string {
  return `def SkelAnimation "${name}" {
    uniform token[] joints = ${tokens(jointPaths(body))}
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
  if (spec === undefined) throw new Error(`The text has no ${path}`);
  spec.fields.set(field, value);
}

/** The four nearest joints of every vertex, near ones more weight: the demo's own body is nearly rigid. */
function spreadInfluences(body: DemoCharacter, { positions }: CharacterMesh): { joints: Int32Array; weights: Float32Array } {
  const bind = body.skeleton.bind as Float32Array;
  const count = positions.length / 3;
  const joints = new Int32Array(count * JOINTS_PER_VERTEX);
  const weights = new Float32Array(count * JOINTS_PER_VERTEX);
  const nodes = Array.from(body.skeleton.names.keys());
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

/** Puts the arrays of a body into what {@link characterText} made at a path; `detail` says how dense its mesh is. */
export function fillCharacter(layer: Layer, root: string, body: DemoCharacter, detail: number): void {
  const { skeleton } = body;
  const rest = new Float64Array(skeleton.names.length * MATRIX_STRIDE);
  skeleton.names.forEach((_, node) => {
    mat4.compose(rest, node * MATRIX_STRIDE, skeleton.rest, node * POSE_STRIDE);
  });
  const mesh = makeMesh(body, COLOR, detail);
  const { joints, weights } = spreadInfluences(body, mesh);
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

/** A walk over and over, `start` seconds into it at the first frame; the chest breathes. No frame is like another, as in a recording. */
export function fillTake(layer: Layer, path: string, body: DemoCharacter, frames: number, start: number): void {
  const clip: Clip = encodeMotion(body, makeWalk(body.figure));
  const count = body.skeleton.names.length;
  const pose = Float64Array.from(body.skeleton.rest);
  const chest = body.bones[8];
  const samples = { translations: [] as NumericValue[], rotations: [] as NumericValue[], scales: [] as NumericValue[] };
  const take = (width: number, from: number): Float32Array =>
    Float32Array.from(
      { length: count * width },
      (_, i) => pose[POSE_STRIDE * Math.floor(i / width) + from + (i % width)],
    );
  for (let frame = 0; frame < frames; frame++) {
    sampleClip(clip, (start + (SPEED * frame) / FRAMES_PER_SECOND) % clip.duration, pose);
    pose.fill(1 + 0.02 * Math.sin(frame / 10), chest * POSE_STRIDE + 7, (chest + 1) * POSE_STRIDE);
    samples.translations.push(array('float3', take(3, 0)));
    samples.rotations.push(array('quatf', take(4, 3)));
    samples.scales.push(array('half3', take(3, 7)));
  }
  const times = Float64Array.from({ length: frames }, (_, frame) => frame);
  for (const [name, values] of Object.entries(samples)) {
    setField(layer, `${path}.${name}`, 'timeSamples', { type: 'timeSamples', times, values });
  }
}

/** One character with one take in one layer: `/Hero` with `Skel`, `Mesh` and `Take`. */
export function characterLayer(body: DemoCharacter, detail: number, frames: number): Layer {
  const take = takeText(body, 'Take');
  const text = characterText(body, 'def SkelRoot "Hero"', `rel skel:animationSource = <Take>\n${take}`);
  const layer = parseUsda(
    `#usda 1.0\n(defaultPrim = "Hero"\nmetersPerUnit = 1\nupAxis = "Y"\ntimeCodesPerSecond = ${FRAMES_PER_SECOND})\n${text}\n`,
  );
  fillCharacter(layer, '/Hero', body, detail);
  fillTake(layer, '/Hero/Take', body, frames, 0);
  return layer;
}
