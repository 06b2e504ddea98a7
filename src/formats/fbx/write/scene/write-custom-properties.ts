import type { CustomProperties, Geometry } from '../../../../core/asset/geometry.ts';
import { type IssueTally, tallyIssue } from '../../../../core/report/issue-tally.ts';
import type { FbxRecord } from '../../document/fbx-tree.ts';
import { OF_MODELS } from '../../document/object-properties.ts';
import { property70 } from '../build-records.ts';
import type { FileBuilder } from './file-builder.ts';
import type { PlannedJoint } from './plan-joints.ts';
import type { WrittenModel } from './write-joints.ts';
import type { WrittenMesh } from './write-meshes.ts';

const VECTORS = { 2: 'userVector2', 3: 'userVector3', 4: 'userVector4' } as const;

function isInt32(value: number): boolean {
  return (value | 0) === value;
}

function userProperty(name: string, value: CustomProperties[string]): FbxRecord {
  if (typeof value === 'string') return property70(name, 'userText', value);
  if (typeof value === 'boolean') return property70(name, 'userBool', Number(value));
  if (typeof value === 'number') return property70(name, isInt32(value) ? 'userInt' : 'userDouble', value);
  return property70(name, VECTORS[value.length as keyof typeof VECTORS], ...value);
}

/**
 * Adds the custom properties of nodes to their Models as user properties: to the joint of a node, else to its meshes. Counts in `dropped`, by name,
 * those of nodes without a Model, and those whose name every Model has: they would move or hide it.
 */
export function writeCustomProperties(
  { objects }: FileBuilder,
  { customProperties = new Map() }: Pick<Geometry, 'customProperties'>,
  joints: readonly PlannedJoint[],
  models: readonly WrittenModel[],
  meshes: readonly WrittenMesh[],
  dropped: IssueTally,
): void {
  const modelsOf = new Map<number, WrittenModel[]>();
  for (const mesh of meshes) modelsOf.set(mesh.planned.node, [...(modelsOf.get(mesh.planned.node) ?? []), mesh]);
  for (const [joint, { node }] of joints.entries()) modelsOf.set(node, [models[joint]]);
  for (const [node, properties] of customProperties) {
    const owners = modelsOf.get(node) ?? [];
    const records: FbxRecord[] = [];
    for (const [name, value] of Object.entries(properties)) {
      // A bar separates the names of nested properties.
      const hasPlace = owners.length > 0 && name !== '' && !name.includes('|') && !OF_MODELS.test(name);
      if (hasPlace) records.push(userProperty(name, value));
      else tallyIssue(dropped, name);
    }
    for (const { index } of owners) {
      const model = objects[index];
      const withRecords = (one: FbxRecord): FbxRecord =>
        one.name === 'Properties70' ? { ...one, records: [...one.records, ...records] } : one;
      objects[index] = { ...model, records: model.records.map(withRecords) };
    }
  }
}
