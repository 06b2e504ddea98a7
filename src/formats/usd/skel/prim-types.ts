/** Which types of prims UsdSkel looks at: those of UsdGeom and UsdLux, which a file does not describe. */

/** Gprims and others with an extent: what can be skinned. */
const BOUNDABLE = new Set(
  (
    'Mesh Points BasisCurves NurbsCurves HermiteCurves NurbsPatch TetMesh Capsule Capsule_1 Cone Cube Cylinder Cylinder_1 Sphere Plane ' +
    'PointInstancer Volume SkelRoot Skeleton CylinderLight DiskLight RectLight SphereLight PortalLight'
  ).split(' '),
);

/** Prims without an extent of their own that may have visible prims below. */
const OTHER_IMAGEABLE = new Set(
  'Scope Xform Camera DistantLight DomeLight DomeLight_1 GeometryLight LightFilter PluginLight PluginLightFilter'.split(
    ' ',
  ),
);

/** Prims with points that can be deformed. */
const POINT_BASED = new Set('Mesh Points BasisCurves NurbsCurves HermiteCurves NurbsPatch TetMesh'.split(' '));

/** Whether a prim or what is below may be visible; below others no skinned prims are looked for (a prim without type is one of them). */
export function isImageable(typeName: string): boolean {
  return BOUNDABLE.has(typeName) || OTHER_IMAGEABLE.has(typeName);
}

/** Whether prims of a type can be bound to a skeleton (UsdSkelIsSkinnablePrim): boundable, but no Skeleton and no SkelRoot. */
export function isSkinnable(typeName: string): boolean {
  return BOUNDABLE.has(typeName) && typeName !== 'Skeleton' && typeName !== 'SkelRoot';
}

/** Whether prims of a type have points. */
export function isPointBased(typeName: string): boolean {
  return POINT_BASED.has(typeName);
}
