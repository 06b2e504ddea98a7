/** A page that runs the shader code of crowds on the graphics processor, and compares it with the processor. */
import { geometryOf, openBytes } from 'anyrig/files';
import { CROWD_GLSL, CROWD_ROWS, CROWD_WGSL, Crowd, compileClip, planCrowd, playbackSkin } from 'anyrig/playback';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';

/** Vertices that are compared. */
const VERTICES = 256;

/** Result of the page. */
export interface PlaybackResult {
  /** Largest distance of vertices from those of the processor, meters; null without an adapter. */
  readonly webgl: number;
  readonly webgpu: number | null;
  /** Largest distance between vertices of two of the characters: they differ. */
  readonly spread: number;
}

async function open(name: string) {
  const file = await openBytes(new Uint8Array(await (await fetch(`/${name}`)).arrayBuffer()), { name });
  const found = chooseHumanoid(file, 'target', {}).found;
  const read = await geometryOf(file);
  if (found === null || read === null) throw new Error(`${name} has no character`);
  const skin = playbackSkin(read.geometry, 0, found.part);
  return { ...found, skin, geometry: read.geometry, clip: file.asset.clips[0]?.clips[found.index] };
}

/** Vertices with the rows of their joints: the inputs of the shaders. */
interface Inputs {
  readonly crowd: Crowd;
  /** 4 floats per vertex: xyz in the reference pose, 1. */
  readonly positions: Float32Array;
  readonly rows: Uint32Array;
  readonly weights: Float32Array;
  /** Character and playhead of each instance. */
  readonly instances: readonly (readonly [number, number])[];
}

async function prepare(): Promise<Inputs> {
  const source = await open('walk.glb');
  const { humanoid, skin, geometry } = await open('mixamo.glb');
  const { plan, reason } = planCrowd(source.humanoid, [{ humanoid, skin }]);
  if (plan === null) throw new Error(reason);
  const [{ jointRows, bindMatrix }] = plan.targets;
  const [{ influences, positions: file }] = geometry.meshes[geometry.instances[0].mesh].primitives;
  if (influences === null || bindMatrix === null) throw new Error('The demo character was not bound in its T-pose');
  const { jointsPerVertex, indices, weights: all } = influences;
  const positions = new Float32Array(4 * VERTICES);
  const rows = new Uint32Array(4 * VERTICES);
  const weights = new Float32Array(4 * VERTICES);
  const step = Math.floor(file.length / 3 / VERTICES);
  for (let k = 0; k < VERTICES; k++) {
    const vertex = k * step;
    for (let c = 0; c < 3; c++) {
      positions[4 * k + c] = bindMatrix[12 + c];
      for (let axis = 0; axis < 3; axis++) positions[4 * k + c] += bindMatrix[4 * axis + c] * file[3 * vertex + axis];
    }
    positions[4 * k + 3] = 1;
    for (let influence = 0; influence < 4; influence++) {
      rows[4 * k + influence] = jointRows[indices[jointsPerVertex * vertex + influence]];
      weights[4 * k + influence] = all[jointsPerVertex * vertex + influence];
    }
  }
  const crowd = new Crowd(plan, { capacity: 4, playheads: 3 });
  const walk = compileClip(source.humanoid.skeleton, source.clip);
  const heads = [0.1, 0.5].map((time) => crowd.addPlayhead(walk, { time }));
  const instances = [heads[1], heads[0], heads[1]].map((head) => [crowd.add(0, head), head.index] as const);
  crowd.update(0);
  return { crowd, positions, rows, weights, instances };
}

/** Skinned positions of all instances in plain TypeScript: 4 numbers per vertex. */
function onProcessor({ crowd, positions, rows, weights, instances }: Inputs): Float64Array {
  const deltas = crowd.deltas();
  const out = new Float64Array(instances.length * positions.length);
  instances.forEach(([character, playhead], instance) => {
    for (let k = 0; k < positions.length; k++) {
      const o = instance * positions.length + 4 * (k >> 2);
      const d = 16 * (CROWD_ROWS * playhead + rows[k]);
      const t = 4 * (CROWD_ROWS * character + rows[k]);
      const at = 4 * (k >> 2);
      for (let c = 0; c < 3; c++) {
        let sum = crowd.translations[t + c];
        for (let axis = 0; axis < 3; axis++) sum += deltas[d + 4 * axis + c] * positions[at + axis];
        out[o + c] += weights[k] * sum;
      }
    }
  });
  return out;
}

function difference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let most = 0;
  for (let at = 0; at < b.length; at += 4) {
    const distance = Math.hypot(a[at] - b[at], a[at + 1] - b[at + 1], a[at + 2] - b[at + 2]);
    most = Math.max(most, Number.isNaN(distance) ? Number.POSITIVE_INFINITY : distance);
  }
  return most;
}

const VERTEX_SHADER = `#version 300 es
${CROWD_GLSL}
in vec4 position;
in vec4 rows;
in vec4 weights;
uniform int character;
uniform int playhead;
out vec4 skinned;
void main() {
  skinned = crowdSkin(uvec4(rows), weights, character, playhead) * position;
  gl_Position = vec4(0.0);
}`;

/** Skinned positions by the GLSL of crowds, captured after the vertex shader. */
function onWebGL({ crowd, positions, rows, weights, instances }: Inputs): Float32Array {
  const gl = document.createElement('canvas').getContext('webgl2');
  if (gl === null) throw new Error('This browser has no WebGL2');
  const program = gl.createProgram();
  const fragment = '#version 300 es\nvoid main() {}';
  for (const [type, text] of [
    [gl.VERTEX_SHADER, VERTEX_SHADER],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(type) as WebGLShader;
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    const log = gl.getShaderInfoLog(shader);
    if (log) throw new Error(log);
  }
  gl.transformFeedbackVaryings(program, ['skinned'], gl.INTERLEAVED_ATTRIBS);
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? '');
  gl.useProgram(program);
  const textures = [
    { name: 'crowdDeltas', width: 4 * CROWD_ROWS, data: crowd.deltas() },
    { name: 'crowdTranslations', width: CROWD_ROWS, data: crowd.translations },
  ];
  textures.forEach(({ name, width, data }, unit) => {
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, width, data.length / 4 / width, 0, gl.RGBA, gl.FLOAT, data);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.uniform1i(gl.getUniformLocation(program, name), unit);
  });
  for (const [name, data] of Object.entries({ position: positions, rows: Float32Array.from(rows), weights })) {
    const location = gl.getAttribLocation(program, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, 4, gl.FLOAT, false, 0, 0);
  }
  const target = gl.createBuffer();
  gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, target);
  gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, positions.byteLength, gl.STREAM_READ);
  gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, target);
  gl.enable(gl.RASTERIZER_DISCARD);
  const out = new Float32Array(instances.length * positions.length);
  instances.forEach(([character, playhead], instance) => {
    gl.uniform1i(gl.getUniformLocation(program, 'character'), character);
    gl.uniform1i(gl.getUniformLocation(program, 'playhead'), playhead);
    gl.beginTransformFeedback(gl.POINTS);
    gl.drawArrays(gl.POINTS, 0, positions.length / 4);
    gl.endTransformFeedback();
    const part = new Float32Array(positions.length);
    gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, part);
    out.set(part, instance * positions.length);
  });
  if (gl.getError() !== gl.NO_ERROR) throw new Error('WebGL2 reports an error');
  return out;
}

const COMPUTE_SHADER = `
@group(0) @binding(0) var<storage, read> crowdDeltas: array<vec4f>;
@group(0) @binding(1) var<storage, read> crowdTranslations: array<vec4f>;
@group(0) @binding(2) var<storage, read> positions: array<vec4f>;
@group(0) @binding(3) var<storage, read> rows: array<vec4u>;
@group(0) @binding(4) var<storage, read> weights: array<vec4f>;
@group(0) @binding(5) var<storage, read> instances: array<vec2u>;
@group(0) @binding(6) var<storage, read_write> skinned: array<vec4f>;
${CROWD_WGSL}
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let count = arrayLength(&positions);
  if (id.x >= count) { return; }
  let instance = instances[id.y];
  skinned[id.y * count + id.x] = crowdSkin(rows[id.x], weights[id.x], instance.x, instance.y) * positions[id.x];
}`;

/** The parts of WebGPU that the page uses: TypeScript has no types of it here. */
// biome-ignore lint/suspicious/noExplicitAny: a browser interface without types
type WebGpu = any;

/** Skinned positions by the WGSL of crowds, from a compute shader; null without an adapter. */
async function onWebGpu({ crowd, positions, rows, weights, instances }: Inputs): Promise<Float32Array | null> {
  const adapter = await (navigator as WebGpu).gpu?.requestAdapter();
  if (!adapter) return null;
  const device: WebGpu = await adapter.requestDevice();
  device.pushErrorScope('validation');
  // Numbers of GPUBufferUsage.
  const [MAP_READ, COPY_SRC, COPY_DST, STORAGE] = [1, 4, 8, 128];
  const inputs = [crowd.deltas(), crowd.translations, positions, rows, weights, Uint32Array.from(instances.flat())];
  const buffers = inputs.map((data) => {
    const buffer = device.createBuffer({ size: data.byteLength, usage: STORAGE + COPY_DST });
    device.queue.writeBuffer(buffer, 0, data);
    return buffer;
  });
  const size = instances.length * positions.byteLength;
  const skinned = device.createBuffer({ size, usage: STORAGE + COPY_SRC });
  const copy = device.createBuffer({ size, usage: MAP_READ + COPY_DST });
  const module = device.createShaderModule({ code: COMPUTE_SHADER });
  const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module, entryPoint: 'main' } });
  const entries = [...buffers, skinned].map((buffer, binding) => ({ binding, resource: { buffer } }));
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
  pass.dispatchWorkgroups(Math.ceil(VERTICES / 64), instances.length);
  pass.end();
  encoder.copyBufferToBuffer(skinned, 0, copy, 0, size);
  device.queue.submit([encoder.finish()]);
  const error = await device.popErrorScope();
  if (error) throw new Error(error.message);
  await copy.mapAsync(1);
  return new Float32Array(copy.getMappedRange().slice(0));
}

export async function run(): Promise<PlaybackResult> {
  const inputs = await prepare();
  const expected = onProcessor(inputs);
  const webgpu = await onWebGpu(inputs);
  const { length } = inputs.positions;
  return {
    webgl: difference(onWebGL(inputs), expected),
    webgpu: webgpu === null ? null : difference(webgpu, expected),
    spread: difference(expected.subarray(0, length), expected.subarray(length, 2 * length)),
  };
}
