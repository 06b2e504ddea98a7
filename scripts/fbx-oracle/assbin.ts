/**
 * Reads node transforms and animation channels out of an .assbin file, the binary dump of assimp 5.2
 * (code/AssetLib/Assbin/AssbinFileWriter.cpp): little-endian, float32 transforms, float64 key times.
 */
import type { Buffer } from 'node:buffer';

export interface AssbinNode {
  readonly name: string;
  readonly parent: number;
  /** Local transform, column-major. */
  readonly matrix: number[];
}

/** Keys of one node: rows of time in ticks and value (xyz, or quaternion xyzw). */
export interface AssbinChannel {
  readonly node: string;
  readonly positions: number[][];
  readonly rotations: number[][];
  readonly scales: number[][];
}

export interface AssbinAnimation {
  readonly name: string;
  readonly duration: number;
  readonly ticksPerSecond: number;
  readonly channels: AssbinChannel[];
}

export interface AssbinScene {
  readonly nodes: AssbinNode[];
  readonly animations: AssbinAnimation[];
}

const HEADER_BYTES = 512;
const CHUNK = { scene: 0x1239, node: 0x123c, animation: 0x123b, channel: 0x1238 } as const;

class Cursor {
  readonly bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  u32(): number {
    this.at += 4;
    return this.bytes.readUInt32LE(this.at - 4);
  }

  f32(): number {
    this.at += 4;
    return this.bytes.readFloatLE(this.at - 4);
  }

  f64(): number {
    this.at += 8;
    return this.bytes.readDoubleLE(this.at - 8);
  }

  text(): string {
    const length = this.u32();
    this.at += length;
    return this.bytes.toString('utf8', this.at - length, this.at);
  }

  /** The kind of the chunk at the cursor and where it ends; the cursor moves to its content. */
  chunk(): { kind: number; end: number } {
    const kind = this.u32();
    const length = this.u32();
    return { kind, end: this.at + length };
  }
}

function readNode(cursor: Cursor, parent: number, nodes: AssbinNode[]): void {
  const { kind, end } = cursor.chunk();
  if (kind !== CHUNK.node) throw new Error(`chunk 0x${kind.toString(16)} where a node was expected`);
  const name = cursor.text();
  const rows = Array.from({ length: 16 }, () => cursor.f32());
  const [children, meshes] = [cursor.u32(), cursor.u32()];
  cursor.at += 4 + 4 * meshes;
  const index = nodes.push({ name, parent, matrix: rows.map((_, i) => rows[(i % 4) * 4 + (i >> 2)]) }) - 1;
  for (let child = 0; child < children; child++) readNode(cursor, index, nodes);
  cursor.at = end;
}

function readKeys(cursor: Cursor, count: number, width: number): number[][] {
  return Array.from({ length: count }, () => {
    const time = cursor.f64();
    const value = Array.from({ length: width }, () => cursor.f32());
    return width === 4 ? [time, value[1], value[2], value[3], value[0]] : [time, ...value];
  });
}

function readAnimation(cursor: Cursor): AssbinAnimation {
  const name = cursor.text();
  const [duration, ticksPerSecond] = [cursor.f64(), cursor.f64()];
  const channels = Array.from({ length: cursor.u32() }, () => {
    const { kind, end } = cursor.chunk();
    if (kind !== CHUNK.channel) throw new Error(`chunk 0x${kind.toString(16)} where a channel was expected`);
    const node = cursor.text();
    const [positions, rotations, scales] = [cursor.u32(), cursor.u32(), cursor.u32()];
    cursor.at += 8;
    const channel = {
      node,
      positions: readKeys(cursor, positions, 3),
      rotations: readKeys(cursor, rotations, 4),
      scales: readKeys(cursor, scales, 3),
    };
    cursor.at = end;
    return channel;
  });
  return { name, duration, ticksPerSecond, channels };
}

/** Reads the nodes, parents first, and the animations of a dump. Throws for other files. */
export function readAssbin(bytes: Buffer): AssbinScene {
  if (!bytes.toString('latin1', 0, 44).startsWith('ASSIMP.binary')) throw new Error('not an .assbin file');
  const cursor = new Cursor(bytes, HEADER_BYTES);
  const scene = cursor.chunk();
  if (scene.kind !== CHUNK.scene) throw new Error(`chunk 0x${scene.kind.toString(16)} where the scene was expected`);
  cursor.at += 4 * 7; // flags; counts of meshes, materials, animations, textures, lights, cameras
  const nodes: AssbinNode[] = [];
  readNode(cursor, -1, nodes);
  const animations: AssbinAnimation[] = [];
  while (cursor.at < scene.end) {
    const { kind, end } = cursor.chunk();
    if (kind === CHUNK.animation) animations.push(readAnimation(cursor));
    cursor.at = end;
  }
  return { nodes, animations };
}
