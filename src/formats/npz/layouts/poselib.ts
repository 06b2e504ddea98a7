/** Motions of poselib (Isaac Gym, PHC, ProtoMotions): rotations as quaternions, with the skeleton. */
import * as quat from '../../../core/math/quat.ts';
import { validateTopology } from '../../../core/skeleton/topology.ts';
import { readNumbers } from '../container/numpy-array.ts';
import { type NumpyValues, namedItems } from '../container/parse-numpy.ts';
import { isArray } from '../container/pickle-objects.ts';
import { formatShape, layoutError, numericArray } from './arrays.ts';
import { findFrameRate } from './frame-rate.ts';
import { AXES, clipOf, makeContinuous, type NpzMotion, type NpzOptions, skeletonOf } from './motion.ts';

/** Most joints of a skeleton; those of people have up to 100. */
const MOST_JOINTS = 1000;

/** Reads a tensor, which is a dict with the array `arr`. */
function tensorAt(values: NumpyValues, key: string): { shape: readonly number[]; numbers: Float64Array } {
  const dict = values.get(key);
  const array = dict instanceof Map ? numericArray(namedItems(dict), 'arr') : numericArray(values, key);
  if (array === null) throw layoutError(`The motion of poselib has no array ${key}; save it again with its to_file`);
  return { shape: array.shape, numbers: readNumbers(array) };
}

function namesOf(tree: NumpyValues, count: number): string[] {
  const list = tree.get('node_names');
  const names: unknown[] = Array.isArray(list) ? list : [];
  return Array.from({ length: count }, (_, joint) => {
    const name = names[joint];
    return typeof name === 'string' ? name : `joint ${joint}`;
  });
}

/** Tells whether rotations are relative to the parents. */
function isLocal(values: NumpyValues): boolean {
  const flag = values.get('is_local');
  return isArray(flag) ? readNumbers(flag)[0] !== 0 : flag === true || flag === 1;
}

/** Reads motions of poselib. Returns the motion; null for other arrays. Throws FormatError `NPZ_LAYOUT` for arrays that contradict each other. */
export function readPoselib(values: NumpyValues, options: NpzOptions): NpzMotion | null {
  const dict = values.get('skeleton_tree');
  if (!(dict instanceof Map) || !values.has('rotation')) return null;
  const tree = namedItems(dict);
  const rotation = tensorAt(values, 'rotation');
  const translation = tensorAt(values, 'root_translation');
  const offsets = tensorAt(tree, 'local_translation').numbers;
  const parents = Int32Array.from(tensorAt(tree, 'parent_indices').numbers);
  const [frames, count] = rotation.shape;
  const isSkeleton =
    count > 0 && count <= MOST_JOINTS && parents.length === count && offsets.length === 3 * count && parents[0] === -1;
  if (
    rotation.shape.length !== 3 ||
    rotation.shape[2] !== 4 ||
    !isSkeleton ||
    validateTopology(parents).valid !== true
  ) {
    const message = `The rotations have the shape ${formatShape(rotation.shape)} and the skeleton has ${parents.length} joints, expected (frames, joints, 4) and parents before their children`;
    throw layoutError(message);
  }
  if (translation.numbers.length !== 3 * frames)
    throw layoutError(`root_translation has the shape ${formatShape(translation.shape)}, expected (${frames}, 3)`);
  const local = isLocal(values);
  const rotations = new Map<number, Float32Array>();
  const toParent = new Float64Array(4);
  for (let joint = 0; joint < count; joint++) {
    const own = new Float32Array(4 * frames);
    for (let frame = 0; frame < frames; frame++) {
      const at = 4 * (frame * count + joint);
      if (local || parents[joint] < 0) quat.copy(own, 4 * frame, rotation.numbers, at);
      else {
        quat.conjugate(toParent, 0, rotation.numbers, 4 * (frame * count + parents[joint]));
        quat.multiply(own, 4 * frame, toParent, 0, rotation.numbers, at);
      }
      quat.normalize(own, 4 * frame, own, 4 * frame);
    }
    rotations.set(joint, makeContinuous(own));
  }
  const root = Float32Array.from(translation.numbers);
  const rate = findFrameRate(values, 30, frames, options);
  return {
    skeleton: skeletonOf('poselib', namesOf(tree, count), parents, offsets),
    declared: null,
    up: AXES[options.up ?? 'z'],
    clips: [clipOf({ name: '', frames, rotations, root }, rate.frameRate)],
    issues: rate.issues,
  };
}
