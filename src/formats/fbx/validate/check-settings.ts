/** Rules for the axes and the unit of a file, and for the transform of its root nodes. */
import { issue } from '../../../core/report/issue.ts';
import { numberProperty } from '../document/object-properties.ts';
import { addFinding, type FbxValidation } from './validation.ts';

export interface DeclaredAxes {
  readonly up: readonly number[];
  /** Towards the viewer: the front of a character that looks at the viewer. */
  readonly front: readonly number[];
}

/** Reads the axes that a file declares; null where they are missing or not three different axes of a right-handed system. */
export function declaredAxes({ scene: { settings } }: FbxValidation): DeclaredAxes | null {
  const axis = (name: string): number[] => {
    const index = numberProperty(settings, `${name}Axis`, -1);
    const sign = numberProperty(settings, `${name}AxisSign`, 1) < 0 ? -1 : 1;
    return [0, 1, 2].map((c) => (c === index ? sign : 0));
  };
  const [right, up, front] = [axis('Coord'), axis('Up'), axis('Front')];
  const determinant =
    right[0] * (up[1] * front[2] - up[2] * front[1]) -
    right[1] * (up[0] * front[2] - up[2] * front[0]) +
    right[2] * (up[0] * front[1] - up[1] * front[0]);
  return determinant === 1 ? { up, front } : null;
}

/** Relative difference up to which a scale counts as 1: float32 of several joints. */
const SAME_SCALE = 1e-3;

/** Angle of a root that is no joint from which it counts as turned, radians: half a degree. */
const TURNED = Math.PI / 360;

/** Checks unit, axes, and the nodes above the joints. */
export function checkSettings(validation: FbxValidation): void {
  const { scene, forest, isJoint, issues } = validation;
  if (declaredAxes(validation) === null) {
    const message =
      'UpAxis, FrontAxis and CoordAxis are missing, or no right-handed system; importers guess. Declare +Y up, +Z front, +X.';
    issues.push(issue('FBX_AXES', message));
  }
  const factor = numberProperty(scene.settings, 'UnitScaleFactor', 0);
  if (!(factor > 0))
    issues.push(
      issue('FBX_UNIT', 'UnitScaleFactor is missing or not positive; importers guess. Write centimeters and 1.'),
    );
  else if (Math.abs(factor - 1) > SAME_SCALE) {
    const message = `The unit is ${Number(factor.toPrecision(6))} cm; Unreal Engine and Unity put that scale on the root. Write centimeters and a UnitScaleFactor of 1.`;
    issues.push(issue('FBX_UNIT', message));
  }
  const scaled: string[] = [];
  const turned: string[] = [];
  const roots: string[] = [];
  const holdsJoint = isJoint.slice();
  for (let node = holdsJoint.length - 1; node >= 0; node--) {
    if (holdsJoint[node] === 1 && forest.parents[node] >= 0) holdsJoint[forest.parents[node]] = 1;
  }
  for (const [node, { name }] of forest.models.entries()) {
    if (holdsJoint[node] === 0) continue;
    const parent = forest.parents[node];
    const isTop = parent < 0 || isJoint[parent] === 0;
    if (isJoint[node] === 1 && isTop) roots.push(name);
    if (!isTop) continue;
    const [, , , x, y, z, w, ...scale] = forest.rest.subarray(node * 10, (node + 1) * 10);
    if (scale.some((one) => Math.abs(one - 1) > SAME_SCALE)) scaled.push(name);
    if (isJoint[node] === 0 && 2 * Math.atan2(Math.hypot(x, y, z), Math.abs(w)) > TURNED) turned.push(name);
  }
  const advice = 'Unreal Engine keeps it on the root bone, and physics and animation fail; apply it to the data.';
  addFinding(issues, 'FBX_ROOT_TRANSFORM', scaled, 'Scaled nodes at the root of a skeleton', advice);
  const straighten = 'Turn the data, and declare its axes, in place of a turned node.';
  addFinding(issues, 'FBX_ROOT_TRANSFORM', turned, 'Turned nodes above a skeleton', straighten);
  if (roots.length > 1) {
    addFinding(
      issues,
      'FBX_ROOTS',
      roots,
      'Joints without a joint above them',
      'Unreal Engine takes one root bone; parent them to one joint.',
    );
  }
}
