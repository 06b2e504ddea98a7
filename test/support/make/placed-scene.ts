/** A document whose whole scene stands elsewhere, faces another way and has another size, as scenes of other programs do. */
import type { GltfDocument } from '../../../src/formats/gltf/index.ts';

/** A similarity that turns about the vertical: scale, then turn, then move. */
export interface Placement {
  readonly move: readonly [number, number, number];
  /** Angle about +Y, radians. */
  readonly turn: number;
  readonly scale: number;
}

/** Puts a node with the placement above the nodes of the first scene. */
export function placeScene({ json }: GltfDocument, { move, turn, scale }: Placement): void {
  const [scene] = json['scenes'] as { nodes: number[] }[];
  const nodes = json['nodes'] as object[];
  const rotation = [0, Math.sin(turn / 2), 0, Math.cos(turn / 2)];
  nodes.push({ name: 'Scene', children: scene.nodes, translation: move, rotation, scale: [scale, scale, scale] });
  scene.nodes = [nodes.length - 1];
}
