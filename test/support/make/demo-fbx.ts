/** The walk of the demo as an FBX like those of Mixamo: bones and curves, no mesh. anyrig itself writes no FBX. */
import { planAxisAngles, toAxisAngles } from '../../../src/core/math/axis-angles.ts';
import { DEGREE } from '../../../src/core/math/euler.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { POSE_STRIDE } from '../../../src/core/skeleton/skeleton.ts';
import type { CharacterOptions } from '../../../src/demo/characters/character.ts';
import { makeCharacter } from '../../../src/demo/characters/make-character.ts';
import { MIXAMO_RIG } from '../../../src/demo/characters/rigs.ts';
import { encodeMotion } from '../../../src/demo/files/encode.ts';
import { makeWalk } from '../../../src/demo/motions/walk.ts';
import type { FbxRecord } from '../../../src/formats/fbx/document/fbx-tree.ts';
import { animation, type DrawnChannel } from '../../formats/fbx/fbx-animation.ts';
import { fbxBinary, rec } from '../../formats/fbx/fbx-bytes.ts';
import { model, type TreeParts, treeOf } from '../../formats/fbx/fbx-scene.ts';
import { fbxText } from '../../formats/fbx/fbx-text.ts';
import { repeatClip } from './repeat-clip.ts';

/** FBX names the axis that rotates first first: its XYZ is the product Z · Y · X. */
const ORDER = planAxisAngles([2, 1, 0]);
const VERSION = 7400;

/** Returns degrees about x, y and z of rotations (4 floats each), continuous from one to the next. */
function curvesOf(rotations: ArrayLike<number>): number[][] {
  const angles = new Float64Array(3);
  const curves: number[][] = [[], [], []];
  for (let i = 0; i < rotations.length; i += 4) {
    toAxisAngles(angles, 0, ORDER, rotations, i);
    curves.forEach((curve, axis) => {
      curve.push(angles[2 - axis] / DEGREE);
    });
  }
  return curves;
}

/** One of several people below a Null. */
export interface Walker {
  /** Returns the name of a node, which without this is `mixamorig:Hips`. */
  readonly rename: (name: string) => string;
  /** Offset of the hips, centimeters. */
  readonly at: readonly [number, number, number];
}

/** Size of the file. */
export interface WalkFbxOptions {
  /** Optional bones that the character lacks; the jaw by default. */
  readonly without?: CharacterOptions['without'];
  /** Keys per second; that of the demo by default. */
  readonly fps?: number;
  /** How often the walk is repeated; 1 by default. */
  readonly repeat?: number;
  /** People below a Null `Group`, in this order, instead of one at the root. */
  readonly group?: readonly Walker[];
  /** Whether arrays of binary files are compressed; true by default. */
  readonly compresses?: boolean;
}

/** Returns the node tree of the file: rest rotations are pre-rotations, centimeters, +Y up; one stack `mixamo.com`. */
function walkRecords({ without = ['jaw'], repeat = 1, group, ...encoding }: WalkFbxOptions): readonly FbxRecord[] {
  const body = makeCharacter({ ...MIXAMO_RIG, without, armature: [], metersPerUnit: 0.01, skin: false });
  const { names, parents, rest } = body.skeleton;
  const turn = (node: number): Float64Array =>
    Float64Array.from(rest.subarray(node * POSE_STRIDE + 3, node * POSE_STRIDE + 7));
  const walk = repeatClip(encodeMotion(body, makeWalk(body.figure), encoding), repeat);
  const root = group === undefined ? 0 : 1;
  const objects: FbxRecord[] = root === 0 ? [] : [model(root, 'Group', 'Null')];
  const connections: NonNullable<TreeParts['connections']>[number][] = root === 0 ? [] : [[root, 0]];
  const channels: DrawnChannel[] = [];
  const walkers: readonly Walker[] = group ?? [{ rename: (name) => name, at: [0, 0, 0] }];
  for (const [person, { rename, at }] of walkers.entries()) {
    const first = root + 1 + person * names.length;
    const placed = (node: number, values: readonly number[]): number[] =>
      values.map((value, axis) => (parents[node] < 0 ? value + at[axis] : value));
    for (const [node, name] of names.entries()) {
      const PreRotation = curvesOf(turn(node)).flat();
      const place = placed(node, [...rest.subarray(node * POSE_STRIDE, node * POSE_STRIDE + 3)]);
      const values = { RotationActive: [1], PreRotation, 'Lcl Translation': place };
      objects.push(model(first + node, rename(name), 'LimbNode', values));
      connections.push([first + node, parents[node] < 0 ? root : first + parents[node]]);
    }
    for (const { target, path, times, values } of walk.tracks) {
      const seconds = [...times];
      const isRotation = path === 'rotation';
      const local = Float64Array.from(values);
      if (isRotation) {
        const back = turn(target);
        quat.conjugate(back, 0, back, 0);
        for (let i = 0; i < local.length; i += 4) quat.multiply(local, i, back, 0, local, i);
      }
      const offset = placed(target, [0, 0, 0]);
      const lists = isRotation
        ? curvesOf(local)
        : offset.map((more, axis) => [...local.filter((_, i) => i % 3 === axis)].map((value) => value + more));
      const property = isRotation ? 'Lcl Rotation' : 'Lcl Translation';
      const curves = lists.map((list) => ({ times: seconds, values: list }));
      channels.push({ model: first + target, property, curves });
    }
  }
  const moved = animation([{ name: 'mixamo.com', layers: [{ channels }] }]);
  const header = rec('FBXHeaderExtension', [], [rec('FBXVersion', [VERSION])]);
  const settings = { UpAxis: [1], UpAxisSign: [1], UnitScaleFactor: [1] };
  const tree = treeOf({
    version: VERSION,
    objects: [...objects, ...moved.objects],
    connections: [...connections, ...moved.connections],
    settings,
  });
  return [header, ...tree.records];
}

/** Returns the bytes of a binary or a text file. */
export function walkFbx(encoding: 'binary' | 'text' = 'binary', options: WalkFbxOptions = {}): Uint8Array {
  const { compresses = true, ...walk } = options;
  const written = { version: VERSION, records: walkRecords(walk) };
  return encoding === 'binary' ? fbxBinary(written, { compresses }) : new TextEncoder().encode(fbxText(written));
}
