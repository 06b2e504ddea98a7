import { issue } from '../../../core/report/issue.ts';
import { ticksPerSecond } from '../animation/fbx-take.ts';
import { KEY_FLAG } from '../animation/key-tangents.ts';
import { numberProperty } from '../document/object-properties.ts';
import { numbersIn } from '../document/records.ts';
import { childObjects, type FbxObject } from '../nodes/fbx-scene.ts';
import { addFinding, type FbxValidation } from './validation.ts';

/** Keys may be outside of the declared range by this much, seconds: a frame at 24 per second, since ranges end on frames. */
const FRAME = 1 / 24;
/** Change of one angle between neighboring keys from which an interpolated joint spins, degrees. */
const HALF_TURN = 180;

function isWhole({ record: { records } }: FbxObject): boolean {
  const times = numbersIn(records, 'KeyTime');
  const values = numbersIn(records, 'KeyValueFloat');
  const flags = numbersIn(records, 'KeyAttrFlags');
  const counts = numbersIn(records, 'KeyAttrRefCount');
  const covered = counts.reduce((sum, count) => sum + count, 0);
  return (
    times.length === values.length &&
    times.every((time, key) => Number.isFinite(time) && (key === 0 || time > times[key - 1])) &&
    values.every(Number.isFinite) &&
    counts.length === flags.length &&
    covered === times.length
  );
}

/** Checks whether an angle jumps by more than half a turn between keys that are interpolated. */
function spins({ record: { records } }: FbxObject): boolean {
  const values = numbersIn(records, 'KeyValueFloat');
  const flags = numbersIn(records, 'KeyAttrFlags');
  if (flags.every((flag) => (flag & (KEY_FLAG.LINEAR | KEY_FLAG.CUBIC)) === 0)) return false;
  return values.some((value, key) => key > 0 && Math.abs(value - values[key - 1]) > HALF_TURN);
}

function turnedNodes({ scene }: FbxValidation, { id }: FbxObject): string[] {
  const connections = scene.parentConnections.get(id) ?? [];
  return connections
    .filter(({ property }) => property === 'Lcl Rotation')
    .map(({ destination }) => scene.objects.get(destination)?.name ?? '');
}

export function checkCurves(validation: FbxValidation): void {
  const { scene, issues } = validation;
  const ticks = ticksPerSecond(scene.tree);
  const [broken, spinning, cut] = [[], [], []] as string[][];
  const stacks = [...scene.objects.values()].filter(({ kind }) => kind === 'AnimationStack');
  for (const stack of stacks) {
    let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const layer of childObjects(scene, stack.id, 'AnimationLayer')) {
      for (const node of childObjects(scene, layer.id, 'AnimationCurveNode')) {
        const turned = turnedNodes(validation, node);
        for (const { source } of scene.childConnections.get(node.id) ?? []) {
          const curve = scene.objects.get(source);
          if (curve?.kind !== 'AnimationCurve') continue;
          if (!isWhole(curve)) broken.push(turned[0] ?? node.name);
          if (turned.length > 0 && spins(curve)) spinning.push(...turned);
          const times = numbersIn(curve.record.records, 'KeyTime');
          if (times.length > 0) {
            first = Math.min(first, times[0] / ticks);
            last = Math.max(last, times[times.length - 1] / ticks);
          }
        }
      }
    }
    const start = numberProperty(stack.properties, 'LocalStart', 0) / ticks;
    const stop = numberProperty(stack.properties, 'LocalStop', 0) / ticks;
    if (first < start - FRAME || last > stop + FRAME) cut.push(stack.name);
  }
  addFinding(
    issues,
    'FBX_CURVE',
    [...new Set(broken)],
    'Nodes with a curve whose times, values and attributes do not fit',
    'Export the file again.',
  );
  addFinding(
    issues,
    'FBX_CURVE_SPIN',
    [...new Set(spinning)],
    'Joints with angles that jump by more than half a turn between keys',
    'Importers that interpolate angles make them spin; unroll the angles.',
  );
  addFinding(
    issues,
    'FBX_TAKE_CUT',
    cut,
    'Animations with keys outside of LocalStart to LocalStop',
    'Importers leave these keys out; declare the whole range.',
  );
  if (stacks.length > 0 && !scene.settings.own.has('TimeMode')) {
    issues.push(
      issue(
        'FBX_TIME_MODE',
        'TimeMode is missing, so that importers assume 30 frames per second; declare the frame rate.',
      ),
    );
  }
}
