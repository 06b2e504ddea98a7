import { recordIn } from './records.ts';
import { type FbxObject, type FbxScene, objectsBelow } from './scene.ts';

/** The objects with the polygons of a Model: its Geometries (7.x), or itself (6.1). */
export function meshHolders(scene: FbxScene, model: FbxObject): FbxObject[] {
  return [model, ...objectsBelow(scene, model.id, 'Geometry')].filter(
    ({ record }) => recordIn(record.records, 'PolygonVertexIndex') !== undefined,
  );
}
