/**
 * A rotation of the whole document by 180° about +Y: VRM 0.x characters face −Z, those of VRM 1.0 +Z. Every frame is
 * conjugated (`M′ = R · M · R⁻¹`), as UniVRM does it: positions and local axes rotate alike, so bones without rotations
 * stay without rotations. R only changes the signs of x and z, so the rotation is exact, and two of them restore the document.
 */
import { createFrameChange, type FrameChange } from '../../../core/normalize/frame-change.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { accessorInfo, readFloats } from '../accessors/accessor.ts';
import { type AccessorPool, createAccessorPool, poolAccessor } from '../accessors/accessor-pool.ts';
import { appendNode } from '../document/append-node.ts';
import type { GltfDocument } from '../document/document.ts';
import {
  arrayAt,
  indexAt,
  isObject,
  type JsonObject,
  listItem,
  memberAt,
  numbersAt,
  objectAt,
  objectsAt,
} from '../document/json-access.ts';
import { memberOf } from '../document/loose-json.ts';
import type { Frames } from '../normalize/frames.ts';
import { nodeAnimations } from '../normalize/node-channels.ts';
import { rewriteChannels } from '../normalize/rewrite-channels.ts';
import { readNodes } from '../read/read-nodes.ts';
import { rotateMeshes } from './rotate-scene-meshes.ts';

/** Rotation by 180° about +Y, xyzw. */
const ROTATION: Float64Array = Float64Array.of(0, 1, 0, 0);
const ROTATION_BACK: Float64Array = Float64Array.of(0, -1, 0, 0);

const LIGHTS = 'KHR_lights_punctual';
/** Node extensions whose data does not depend on the axes of the node, or is rotated by this module. */
const ROTATED =
  /^(?:KHR_node_visibility|KHR_node_selectability|KHR_node_hoverability|VRMC_node_constraint|KHR_lights_punctual)$/;

function negated(value: number): number {
  return value === 0 ? 0 : -value;
}

/** Sign of a component of a 4×4 matrix after `R · M · R⁻¹`. */
function matrixSign(component: number): number {
  const isFlipped = (k: number): boolean => k === 0 || k === 2;
  return isFlipped(component % 4) === isFlipped(Math.floor(component / 4)) ? 1 : -1;
}

function rotateNode(node: JsonObject, pointer: string): void {
  for (const [key, length] of [
    ['translation', 3],
    ['rotation', 4],
  ] as const) {
    const list = numbersAt(node, key, pointer, length);
    if (list !== undefined) node[key] = list.map((value, c) => (c === 0 || c === 2 ? negated(value) : value));
  }
  const matrix = numbersAt(node, 'matrix', pointer, MATRIX_STRIDE);
  if (matrix !== undefined) node['matrix'] = matrix.map((v, c) => (matrixSign(c) < 0 ? negated(v) : v));
}

/** Cameras and lights point along −Z of their node, so they move to a new child that keeps their direction. */
function moveCarried(doc: GltfDocument, index: number): void {
  const node = listItem(doc.json, 'nodes', index);
  const extensions = objectAt(node, 'extensions', `/nodes/${index}`);
  const light = extensions === undefined ? undefined : memberAt(extensions, LIGHTS);
  const camera = memberAt(node, 'camera');
  if (camera === undefined && light === undefined) return;
  const name = memberAt(node, 'name');
  const child: JsonObject = { ...(typeof name === 'string' ? { name } : {}), rotation: [0, 1, 0, 0] };
  if (camera !== undefined) child['camera'] = camera;
  if (light !== undefined && extensions !== undefined) {
    child['extensions'] = { [LIGHTS]: light };
    delete extensions[LIGHTS];
    if (Object.keys(extensions).length === 0) delete node['extensions'];
  }
  delete node['camera'];
  const added = appendNode(doc.json, child);
  node['children'] = [...arrayAt(node, 'children', `/nodes/${index}`), added];
}

function rotateSkins(pool: AccessorPool): void {
  const { json } = pool.doc;
  for (const { json: skin, pointer } of objectsAt(json, 'skins', '')) {
    const accessor = indexAt(skin, 'inverseBindMatrices', pointer, json, 'accessors');
    if (accessor === undefined || accessorInfo(pool.doc, accessor).type !== 'MAT4') continue;
    const matrices = readFloats(pool.doc, accessor).slice();
    for (let i = 0; i < matrices.length; i++) if (matrixSign(i % MATRIX_STRIDE) < 0) matrices[i] = negated(matrices[i]);
    skin['inverseBindMatrices'] = poolAccessor(pool, matrices, { type: 'MAT4' }, 0);
  }
}

function rotateAnimations(doc: GltfDocument, issues: Issue[]): void {
  const forest = readNodes(doc, []);
  const change: FrameChange = createFrameChange({ rotation: ROTATION, axes: ROTATION_BACK });
  const frames: Frames = {
    forest,
    oldRest: forest.rest,
    rest: forest.rest,
    moved: new Uint8Array(forest.parents.length),
    changes: Array.from(forest.parents, () => change),
    wraps: new Map(),
    restMatrices: new Float64Array(0),
  };
  rewriteChannels(doc, frames, nodeAnimations(doc), new Set(), issues);
}

function reportNodeExtensions(nodes: readonly unknown[], issues: Issue[]): void {
  const first = new Map<string, number>();
  nodes.forEach((node, index) => {
    const extensions = memberOf(node, 'extensions');
    for (const name of isObject(extensions) ? Object.keys(extensions) : [])
      if (!ROTATED.test(name) && !first.has(name)) first.set(name, index);
  });
  for (const [name, index] of first) {
    const message = `The scene was rotated by 180°, but the data of ${name} on nodes was kept as it is; check it in a player.`;
    issues.push(issue('VRM_CONVERT_NODE', message, { pointer: `/nodes/${index}/extensions/${name}` }));
  }
}

/**
 * Rotates a document by 180° about +Y: nodes, vertices, morph targets, inverse bind matrices, animations, cameras and lights. Existing binary data
 * stays; rotated data is appended. `doc` is edited; its buffers must be loaded and its decoders attached. `issues` receives VRM_CONVERT_NODE for node
 * extensions that were not rotated, and GLTF_ANIMATION.
 */
export function rotateScene(doc: GltfDocument, issues: Issue[]): void {
  const pool = createAccessorPool(doc);
  rotateAnimations(doc, issues);
  reportNodeExtensions(arrayAt(doc.json, 'nodes', ''), issues);
  for (const { json: node, pointer, index } of objectsAt(doc.json, 'nodes', '')) {
    rotateNode(node, pointer);
    moveCarried(doc, index);
  }
  rotateSkins(pool);
  rotateMeshes(pool);
}
