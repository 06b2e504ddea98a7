/** Lists the prim types that UsdSkel distinguishes. They belong to schemas of UsdGeom and UsdLux, which files do not contain. */

/** Types derived from UsdGeomBoundable: gprims and others with an extent. */
const BOUNDABLE = new Set(
  (
    'Mesh Points BasisCurves NurbsCurves HermiteCurves NurbsPatch TetMesh Capsule Capsule_1 Cone Cube Cylinder Cylinder_1 Sphere Plane ' +
    'PointInstancer Volume SkelRoot Skeleton CylinderLight DiskLight RectLight SphereLight PortalLight'
  ).split(' '),
);

/** Types derived from UsdGeomImageable without an extent of their own. */
const OTHER_IMAGEABLE = new Set(
  'Scope Xform Camera DistantLight DomeLight DomeLight_1 GeometryLight LightFilter PluginLight PluginLightFilter'.split(
    ' ',
  ),
);

/** Types derived from UsdGeomPointBased. */
const POINT_BASED = new Set('Mesh Points BasisCurves NurbsCurves HermiteCurves NurbsPatch TetMesh'.split(' '));

/**
 * Tests whether a type is derived from UsdGeomImageable. Descendants of other prims, including prims without a type, are not searched for skinned
 * prims.
 */
export function isImageable(typeName: string): boolean {
  return BOUNDABLE.has(typeName) || OTHER_IMAGEABLE.has(typeName);
}

/** Tests whether prims of a type can be bound to a skeleton (UsdSkelIsSkinnablePrim): boundable, but neither Skeleton nor SkelRoot. */
export function isSkinnable(typeName: string): boolean {
  return BOUNDABLE.has(typeName) && typeName !== 'Skeleton' && typeName !== 'SkelRoot';
}

export function isPointBased(typeName: string): boolean {
  return POINT_BASED.has(typeName);
}
