import { planAxisAngles, toAxisAngles } from '../../../../core/math/axis-angles.ts';
import { DEGREES_PER_RADIAN } from '../../../../core/math/euler.ts';
import { PATH_OFFSET } from '../../../../core/skeleton/skeleton.ts';
import type { FbxRecord } from '../../document/fbx-tree.ts';
import { connect, listRecord, objectRecord, property70, record } from '../build-records.ts';
import type { FileBuilder } from './file-builder.ts';
import type { PlannedJoint } from './plan-joints.ts';

/** FBX's XYZ order turns about x first, so that matrices are multiplied in the order z, y, x. */
const XYZ = planAxisAngles([2, 1, 0]);

/** Converts a rotation to degrees about x, y and z in FBX's XYZ order. */
function eulerDegrees(rotation: ArrayLike<number>, i: number): [number, number, number] {
  const angles = new Float64Array(3);
  toAxisAngles(angles, 0, XYZ, rotation, i);
  const [z, y, x] = angles;
  return [x * DEGREES_PER_RADIAN + 0, y * DEGREES_PER_RADIAN + 0, z * DEGREES_PER_RADIAN + 0];
}

/**
 * Returns the transform properties of a Model. With orientation, the rest rotation is the PreRotation, as with the joint orient of Maya, so that the Lcl Rotation
 * is 0 at rest and curves turn about the axes of the joint; otherwise it is the Lcl Rotation. Scale is inherited as a whole (RSrs).
 */
export function transformProperties(rest: Float64Array, isOriented = true): FbxRecord[] {
  const turn = eulerDegrees(rest, PATH_OFFSET.rotation);
  const [tx, ty, tz] = rest;
  const [sx, sy, sz] = rest.subarray(PATH_OFFSET.scale);
  return [
    ...(isOriented ? [property70('PreRotation', 'vector', ...turn)] : []),
    property70('RotationActive', 'bool', 1),
    property70('InheritType', 'enum', 1),
    property70('ScalingMax', 'vector', 0, 0, 0),
    property70('Lcl Translation', 'Lcl Translation', tx, ty, tz),
    property70('Lcl Rotation', 'Lcl Rotation', ...(isOriented ? ([0, 0, 0] as const) : turn)),
    property70('Lcl Scaling', 'Lcl Scaling', sx, sy, sz),
  ];
}

export interface WrittenModel {
  readonly id: number;
  /** Its index in the section `Objects`, by which clips refer to it. */
  readonly index: number;
}

export function writeJoints(
  { objects, connections, nextId }: FileBuilder,
  joints: readonly PlannedJoint[],
  isOriented: boolean,
): WrittenModel[] {
  const models: WrittenModel[] = [];
  for (const { name, parent, rest } of joints) {
    const attribute = nextId();
    const model = nextId();
    models.push({ id: model, index: objects.length + 1 });
    objects.push(
      objectRecord('NodeAttribute', attribute, [name, 'NodeAttribute'], 'LimbNode', [
        listRecord('Properties70', [property70('Size', 'double', 1)]),
        record('TypeFlags', 'S', ['Skeleton']),
      ]),
      objectRecord('Model', model, [name, 'Model'], 'LimbNode', [
        record('Version', 'I', [232]),
        listRecord('Properties70', [
          ...transformProperties(rest, isOriented),
          property70('DefaultAttributeIndex', 'int', 0),
        ]),
        record('Shading', 'C', [true]),
        record('Culling', 'S', ['CullingOff']),
      ]),
    );
    connections.push(connect(model, parent < 0 ? 0 : models[parent].id), connect(attribute, model));
  }
  return models;
}
