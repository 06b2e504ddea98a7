/** Poses the nodes of a figure: at the time of a clip, in a static pose, or at rest. Clips are sampled as everywhere in anyrig. */
import type { Mesh, Object3D } from 'three';
import { sampleKeys } from '../../core/animation/sample.ts';
import type { StageClip, StageNodePose, StagePose, StageTrack } from '../contract.ts';

/** A track, where it writes, and the last key that it used. */
interface BoundTrack {
  readonly track: StageTrack;
  readonly width: number;
  readonly write: (values: Float64Array) => void;
  cursor: number;
}

/** Rest transform of a node. */
interface Rest {
  readonly object: Object3D;
  readonly position: readonly number[];
  readonly quaternion: readonly number[];
  readonly scale: readonly number[];
}

/** Lists the morph target influences of the meshes of a node, without those of the nodes below it. */
function influencesOf(object: Object3D, isNode: ReadonlySet<Object3D>): number[][] {
  const { morphTargetInfluences } = object as Partial<Mesh>;
  const below = object.children.filter((child) => !isNode.has(child)).flatMap((child) => influencesOf(child, isNode));
  return morphTargetInfluences === undefined ? below : [morphTargetInfluences, ...below];
}

function bind(track: StageTrack, object: Object3D, isNode: ReadonlySet<Object3D>): BoundTrack {
  const { path, values, times, interpolation } = track;
  const keys = times.length * (interpolation === 'CUBICSPLINE' ? 3 : 1);
  const width = path === 'rotation' ? 4 : path === 'weights' ? Math.floor(values.length / Math.max(keys, 1)) : 3;
  const influences = path === 'weights' ? influencesOf(object, isNode) : [];
  const write = {
    translation: (v: Float64Array) => object.position.set(v[0], v[1], v[2]),
    rotation: (v: Float64Array) => object.quaternion.set(v[0], v[1], v[2], v[3]),
    scale: (v: Float64Array) => object.scale.set(v[0], v[1], v[2]),
    weights: (v: Float64Array) => {
      for (const weights of influences) for (let k = 0; k < weights.length && k < width; k++) weights[k] = v[k];
    },
  }[path];
  return { track, width, write, cursor: 0 };
}

/** Sets the local transforms of the nodes of one figure. */
export class PosePlayer {
  readonly #nodes: readonly Object3D[];
  readonly #isNode: ReadonlySet<Object3D>;
  readonly #rest: readonly Rest[];
  readonly #restWeights: readonly { readonly weights: number[]; readonly rest: readonly number[] }[];
  #clip: StageClip | null = null;
  #tracks: readonly BoundTrack[] = [];
  #buffer: Float64Array = new Float64Array(4);
  #pose: StagePose | null = null;
  #edit: ReadonlyMap<number, StageNodePose> | null = null;

  /** Takes the current pose of the nodes as their rest pose. */
  constructor(nodes: readonly Object3D[]) {
    this.#nodes = nodes;
    this.#isNode = new Set(nodes);
    this.#rest = nodes.map((object) => ({
      object,
      position: object.position.toArray(),
      quaternion: object.quaternion.toArray(),
      scale: object.scale.toArray(),
    }));
    this.#restWeights = nodes
      .flatMap((object) => influencesOf(object, this.#isNode))
      .map((weights) => ({ weights, rest: [...weights] }));
  }

  /** Seconds; 0 without a clip. */
  get duration(): number {
    return this.#clip?.duration ?? 0;
  }

  /** The clip that is shown; null for the rest pose or a static pose. */
  get shown(): StageClip | null {
    return this.#pose === null ? this.#clip : null;
  }

  /**
   * Plays a clip from now on.
   *
   * @param clip The clip; null for the rest pose.
   * @throws RangeError If a track is for a node that the file has not.
   */
  setClip(clip: StageClip | null): void {
    const tracks = clip?.tracks ?? [];
    this.#tracks = tracks.map((track) => bind(track, this.nodeAt(track.node), this.#isNode));
    this.#buffer = new Float64Array(Math.max(4, ...this.#tracks.map(({ width }) => width)));
    this.#clip = clip;
    this.#edit = null;
  }

  /**
   * Shows a static pose instead of the clip.
   *
   * @param pose The pose; null shows the clip again.
   * @throws RangeError If the pose has a node that the file has not.
   */
  setPose(pose: StagePose | null): void {
    for (const node of pose?.keys() ?? []) this.nodeAt(node);
    this.#pose = pose;
    this.#edit = null;
  }

  /**
   * Shows one node in another rotation than the clip or the pose, until the next of them is set.
   *
   * @param edit The node and its local rotation; null returns to the clip.
   */
  edit(edit: (StageNodePose & { readonly node: number }) | null): void {
    this.#edit = edit === null ? null : new Map([[edit.node, edit]]);
  }

  /**
   * Poses the nodes.
   *
   * @param time Seconds; clamped to the clip.
   */
  show(time: number): void {
    this.rest();
    if (this.#pose === null) this.#sample(time);
    else applyPose(this.#pose, this.#nodes);
    if (this.#edit !== null) applyPose(this.#edit, this.#nodes);
  }

  #sample(time: number): void {
    for (const bound of this.#tracks) {
      bound.cursor = sampleKeys(
        bound.track,
        bound.width,
        bound.track.path === 'rotation',
        time,
        this.#buffer,
        0,
        bound.cursor,
      );
      bound.write(this.#buffer);
    }
  }

  /** Moves the nodes to their rest pose. */
  rest(): void {
    for (const { object, position, quaternion, scale } of this.#rest) {
      object.position.set(position[0], position[1], position[2]);
      object.quaternion.set(quaternion[0], quaternion[1], quaternion[2], quaternion[3]);
      object.scale.set(scale[0], scale[1], scale[2]);
    }
    for (const { weights, rest } of this.#restWeights) for (let k = 0; k < rest.length; k++) weights[k] = rest[k];
  }

  /**
   * Returns the object of a node.
   *
   * @throws RangeError If the file has no such node.
   */
  nodeAt(node: number): Object3D {
    const object = this.#nodes[node];
    if (object === undefined) {
      throw new RangeError(
        `Node ${node} does not exist. Expected an index below ${this.#nodes.length}, of the nodes of the figure.`,
      );
    }
    return object;
  }
}

/** Applies a static pose. `pose`: local transforms by node. */
export function applyPose(pose: StagePose, nodes: readonly Object3D[]): void {
  for (const [node, { rotation, translation }] of pose) {
    nodes[node].quaternion.set(rotation[0], rotation[1], rotation[2], rotation[3]);
    if (translation !== undefined) nodes[node].position.set(translation[0], translation[1], translation[2]);
  }
}
