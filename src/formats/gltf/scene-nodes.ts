/** The nodes that a scene shows, as a skeleton. glTF 2.0 section 3.5.1. */
import { POSE_STRIDE, type Skeleton } from '../../core/skeleton/skeleton.ts';
import type { GltfDocument } from './document.ts';
import { type NodeForest, readNodes } from './read-nodes.ts';
import { arrayAt, indexAt, indicesAt, objectItem, stringAt } from './schema.ts';

/** Nodes of a scene, parents first. */
export interface SceneNodes {
  readonly name: string;
  readonly names: readonly string[];
  readonly parents: Int32Array;
  /** Local rest pose. */
  readonly rest: Skeleton['rest'];
  /** Node of the file at each place. */
  readonly sourceNodes: Int32Array;
  /** Place of each node of the file, −1 for those that are not kept. */
  readonly places: Int32Array;
  /** 1 at places that the scene shows; the others are there because skins have them as joints. */
  readonly shown: Uint8Array;
}

/**
 * Whole trees: those of the scene of the file (its `scene`, else the first; without scenes all trees), and those with
 * joints of the skins of its nodes. Issues of nodes are those of `readGltf` and not repeated here. FormatError
 * GLTF_NODE_TREE, GLTF_SCHEMA, GLTF_REFERENCE.
 */
export function readSceneNodes(doc: GltfDocument): SceneNodes {
  const forest = readNodes(doc, []);
  const { parents, ends, places } = forest;
  const scenes = arrayAt(doc.json, 'scenes', '');
  const index = indexAt(doc.json, 'scene', '', doc.json, 'scenes') ?? 0;
  const scene = scenes.length === 0 ? null : objectItem(scenes, index, '/scenes');
  const pointer = `/scenes/${index}`;
  const name = scene === null ? '' : (stringAt(scene, 'name', pointer) ?? '');
  /** 1: with the joints of a skin, 2: shown. At every place that of its tree. */
  const wanted = new Uint8Array(parents.length);
  const roots = new Int32Array(parents.length);
  parents.forEach((parent, place) => {
    roots[place] = parent < 0 ? place : roots[parent];
  });
  const want = (place: number, as: number): void => {
    const root = roots[place];
    if (wanted[root] < as) wanted.fill(as, root, ends[root]);
  };
  if (scene === null) wanted.fill(2);
  else for (const node of indicesAt(scene, 'nodes', pointer, doc.json, 'nodes')) want(places[node], 2);
  if (wanted.includes(0)) wantJoints(doc, forest, wanted, want);
  return keptNodes(forest, wanted, name);
}

function wantJoints(
  doc: GltfDocument,
  { sourceNodes, places }: NodeForest,
  wanted: Uint8Array,
  want: (place: number, as: number) => void,
): void {
  const nodes = arrayAt(doc.json, 'nodes', '');
  const skins = arrayAt(doc.json, 'skins', '');
  const seen = new Set<number>();
  for (let place = 0; place < sourceNodes.length; place++) {
    if (wanted[place] < 2) continue;
    const pointer = `/nodes/${sourceNodes[place]}`;
    const skin = indexAt(objectItem(nodes, sourceNodes[place], '/nodes'), 'skin', pointer, doc.json, 'skins');
    if (skin === undefined || seen.has(skin)) continue;
    seen.add(skin);
    const joints = indicesAt(objectItem(skins, skin, '/skins'), 'joints', `/skins/${skin}`, doc.json, 'nodes');
    for (const joint of joints) if (wanted[places[joint]] === 0) want(places[joint], 1);
  }
}

function keptNodes(forest: NodeForest, wanted: Uint8Array, name: string): SceneNodes {
  const { names, parents, rest, sourceNodes, places } = forest;
  if (!wanted.includes(0)) {
    return { name, names, parents, rest, sourceNodes, places, shown: wanted.map((as) => (as === 2 ? 1 : 0)) };
  }
  const kept = Int32Array.from(parents.keys()).filter((place) => wanted[place] > 0);
  const placeOf = new Int32Array(parents.length).fill(-1);
  kept.forEach((place, i) => {
    placeOf[place] = i;
  });
  const poses = new Float64Array(kept.length * POSE_STRIDE);
  kept.forEach((place, i) => {
    poses.set(rest.subarray(place * POSE_STRIDE, (place + 1) * POSE_STRIDE), i * POSE_STRIDE);
  });
  return {
    name,
    names: Array.from(kept, (place) => names[place]),
    parents: kept.map((place) => (parents[place] < 0 ? -1 : placeOf[parents[place]])),
    rest: poses,
    sourceNodes: kept.map((place) => sourceNodes[place]),
    places: places.map((place) => placeOf[place]),
    shown: Uint8Array.from(kept, (place) => (wanted[place] === 2 ? 1 : 0)),
  };
}
