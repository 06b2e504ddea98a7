import type { FbxRecord } from '../../document/fbx-tree.ts';
import { boolProperty, vectorProperty } from '../../document/object-properties.ts';
import { numberOf } from '../../document/records.ts';
import type { FbxObject } from '../../nodes/fbx-scene.ts';
import type { PropertyCurves } from './write-animation.ts';

/** The names of limits by the property that they limit (`FbxLimits` of the FBX SDK). */
const LIMITS: Readonly<Record<string, string>> = {
  'Lcl Translation': 'Translation',
  'Lcl Rotation': 'Rotation',
  'Lcl Scaling': 'Scaling',
};
const AXES = ['X', 'Y', 'Z'] as const;
/** Degrees or units beyond a limit that are rounding. */
const ROUNDING = 1e-3;

/** Returns the names of the limits of a Model that curves go beyond, such as `RotationMinX`. */
function passedLimits({ properties }: FbxObject, { property, curves }: PropertyCurves): string[] {
  const kind = LIMITS[property];
  if (kind === undefined || !boolProperty(properties, `${kind}Active`, false)) return [];
  return (['Min', 'Max'] as const).flatMap((end) => {
    const limits = vectorProperty(properties, `${kind}${end}`, [0, 0, 0], new Set());
    const sign = end === 'Min' ? -1 : 1;
    return AXES.flatMap((axis, c) => {
      const name = `${kind}${end}${axis}`;
      const isPassed = curves.values.some(
        (value, k) => k % curves.width === c && sign * (value - limits[c]) > ROUNDING,
      );
      return isPassed && numberOf(properties.own.get(name)?.[0]) ? [name] : [];
    });
  });
}

/**
 * Switches off the limits of a Model that its curves go beyond. Programs with the FBX SDK clamp a joint to its limits: the clip would be several degrees
 * off at an elbow that turns about one axis only. Returns the record with other properties; null where the curves are within the limits.
 */
export function liftLimits(model: FbxObject, curves: readonly PropertyCurves[]): FbxRecord | null {
  const passed = new Set(curves.flatMap((one) => passedLimits(model, one)));
  if (passed.size === 0) return null;
  const { record } = model;
  const isTable = ({ name }: FbxRecord): boolean => name === 'Properties70';
  const lift = (row: FbxRecord): FbxRecord => {
    const [name, type, label, flags, isOn] = row.properties;
    const off = typeof isOn === 'boolean' ? false : 0;
    return passed.has(String(name)) ? { ...row, properties: [name, type, label, flags, off] } : row;
  };
  const records = record.records.map((one) => (isTable(one) ? { ...one, records: one.records.map(lift) } : one));
  return { ...record, records };
}
