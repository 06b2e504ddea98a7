import { recordIn } from '../document/records.ts';
import { childObjects, type FbxObject, type FbxScene } from '../nodes/fbx-scene.ts';

/** Returns the objects that contain the polygons of a Model: its Geometries (7.x), or the Model itself (6.1). */
export function meshObjects(scene: FbxScene, model: FbxObject): FbxObject[] {
  return [model, ...childObjects(scene, model.id, 'Geometry')].filter(
    ({ record }) => recordIn(record.records, 'PolygonVertexIndex') !== undefined,
  );
}
