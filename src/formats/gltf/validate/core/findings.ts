/**
 * Findings about core glTF, with the codes and severities of the Khronos glTF Validator (KhronosGroup/glTF-Validator, ISSUES.md).
 */
import { FormatError } from '../../../../core/report/format-error.ts';
import { readFloats } from '../../accessors/accessor.ts';
import { type ElementLayout, elementLayout, isAccessorType, isComponentType } from '../../accessors/element-layout.ts';
import type { GltfDocument } from '../../document/document.ts';
import { isObject, type JsonObject, memberAt } from '../../document/json-access.ts';

/** Severity of each code. */
export const CORE_CODES = {
  ...group('error', [
    ...[
      'ARRAY_LENGTH_NOT_IN_LIST',
      'ARRAY_TYPE_MISMATCH',
      'DUPLICATE_ELEMENTS',
      'EMPTY_ENTITY',
      'INVALID_INDEX',
      'INVALID_URI',
      'PATTERN_MISMATCH',
    ],
    ...['TYPE_MISMATCH', 'UNDEFINED_PROPERTY', 'UNSATISFIED_DEPENDENCY', 'VALUE_MULTIPLE_OF', 'VALUE_NOT_IN_RANGE'],
    ...['ACCESSOR_MATRIX_ALIGNMENT', 'ACCESSOR_NORMALIZED_INVALID', 'ACCESSOR_OFFSET_ALIGNMENT'],
    ...['ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE', 'ASSET_MIN_VERSION_GREATER_THAN_VERSION'],
    ...['BUFFER_DATA_URI_MIME_TYPE_INVALID', 'BUFFER_VIEW_INVALID_BYTE_STRIDE', 'BUFFER_VIEW_TOO_BIG_BYTE_STRIDE'],
    ...['KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_NODE', 'KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_PATH'],
    ...['NODE_MATRIX_NON_TRS', 'NODE_MATRIX_TRS', 'NODE_SKIN_NO_SCENE', 'NON_REQUIRED_EXTENSION', 'ROTATION_NON_UNIT'],
    ...['SKIN_NO_COMMON_ROOT', 'SKIN_SKELETON_INVALID', 'UNUSED_EXTENSION_REQUIRED', 'ACCESSOR_SMALL_BYTESTRIDE'],
    ...['ACCESSOR_TOO_LONG', 'ACCESSOR_TOTAL_OFFSET_ALIGNMENT', 'ANIMATION_CHANNEL_TARGET_NODE_MATRIX'],
    ...['ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS', 'ANIMATION_DUPLICATE_TARGETS'],
    ...['ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE', 'ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT'],
    ...['ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS', 'ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS'],
    ...['ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT', 'ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT'],
    ...[
      'BUFFER_MISSING_GLB_DATA',
      'BUFFER_VIEW_TOO_LONG',
      'INVALID_IBM_ACCESSOR_COUNT',
      'NODE_LOOP',
      'NODE_PARENT_OVERRIDE',
    ],
    ...[
      'NODE_SKIN_WITH_NON_SKINNED_MESH',
      'NODE_WEIGHTS_INVALID',
      'SCENE_NON_ROOT_NODE',
      'SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE',
    ],
    ...['SKIN_IBM_INVALID_FORMAT', 'UNDECLARED_EXTENSION', 'UNRESOLVED_REFERENCE', 'IO_ERROR'],
    ...['ACCESSOR_ANIMATION_INPUT_NEGATIVE', 'ACCESSOR_ANIMATION_INPUT_NON_INCREASING'],
    ...['ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION', 'ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND'],
    ...['ACCESSOR_ELEMENT_OUT_OF_MIN_BOUND', 'ACCESSOR_INVALID_FLOAT', 'ACCESSOR_INVALID_IBM', 'ACCESSOR_MAX_MISMATCH'],
    ...['ACCESSOR_MIN_MISMATCH', 'ACCESSOR_SPARSE_INDEX_OOB', 'ACCESSOR_SPARSE_INDICES_NON_INCREASING'],
    ...['BUFFER_BYTE_LENGTH_MISMATCH'],
  ] as const),
  ...group('warning', [
    ...[
      'UNEXPECTED_PROPERTY',
      'VALUE_NOT_IN_LIST',
      'ANIMATION_CHANNEL_TARGET_NODE_SKIN',
      'INVALID_EXTENSION_NAME_FORMAT',
    ],
    ...['NODE_SKINNED_MESH_LOCAL_TRANSFORMS', 'NODE_SKINNED_MESH_PARENT_TRANSFORMS', 'NON_RELATIVE_URI'],
    ...['UNKNOWN_ASSET_MINOR_VERSION', 'NODE_SKINNED_MESH_WITHOUT_SKIN', 'BUFFER_GLB_CHUNK_TOO_BIG', 'DATA_URI_GLB'],
  ] as const),
  ...group('info', [
    ...['NODE_EMPTY', 'NODE_MATRIX_DEFAULT', 'NODE_SKINNED_MESH_NON_ROOT', 'NON_OBJECT_EXTRAS', 'URI_GLB'],
  ] as const),
};

/** A code of the Khronos glTF Validator that anyrig checks. */
export type CoreCode = keyof typeof CORE_CODES;

function group<const Code extends string, Severity extends string>(
  severity: Severity,
  codes: readonly Code[],
): Record<Code, Severity> {
  return Object.fromEntries(codes.map((code) => [code, severity])) as Record<Code, Severity>;
}

/** A violation of core glTF. */
export interface CoreFinding {
  /** Code as the Khronos glTF Validator has it. */
  readonly code: CoreCode;
  /** Severity as the Khronos glTF Validator has it. */
  readonly severity: 'error' | 'warning' | 'info';
  /** What was found and what was expected. */
  readonly message: string;
  /** JSON pointer to the location; `/` for the root. */
  readonly pointer: string;
}

/** A document and the findings so far. */
export interface CoreCheck {
  /** The document under validation. */
  readonly doc: GltfDocument;
  /** In the order in which they were found. */
  readonly findings: CoreFinding[];
  /** Faults in values by accessor and kind of check: thousands of samplers may share an accessor. */
  readonly valueFaults: Map<string, readonly ValueFault[]>;
}

/** A fault in the values of an accessor. */
export type ValueFault = Pick<CoreFinding, 'code' | 'message'>;

/**
 * Adds findings about the values of an accessor, which are looked at once.
 *
 * @param check The running check.
 * @param key The accessor, and what is checked.
 * @param pointer JSON pointer to the violation.
 * @param look Looks at the values.
 */
export function findInValues(check: CoreCheck, key: string, pointer: string, look: () => readonly ValueFault[]): void {
  const faults = check.valueFaults.get(key) ?? look();
  check.valueFaults.set(key, faults);
  for (const { code, message } of faults) find(check, code, pointer, message);
}

/**
 * Adds a finding.
 *
 * @param check The running check.
 * @param code Code of the Khronos glTF Validator.
 * @param pointer JSON pointer to the violation.
 * @param message Full sentences: what was found, what was expected.
 */
export function find({ findings }: CoreCheck, code: CoreCode, pointer: string, message: string): void {
  findings.push({ code, severity: CORE_CODES[code], message, pointer });
}

/**
 * Gets the items of a top-level array that are objects.
 *
 * @param check The running check.
 * @param list Name of the array.
 * @returns Items with their index.
 */
export function objectsOf({ doc }: CoreCheck, list: string): [index: number, item: JsonObject][] {
  const value = memberAt(doc.json, list);
  if (!Array.isArray(value)) return [];
  return value.flatMap((item, i): [number, JsonObject][] => (isObject(item) ? [[i, item]] : []));
}

/**
 * Gets the item that an index refers to.
 *
 * @param check The running check.
 * @param list Name of the top-level array.
 * @param index Any value.
 * @returns The item; undefined for an invalid index or item.
 */
export function itemAt({ doc }: CoreCheck, list: string, index: unknown): JsonObject | undefined {
  const value = memberAt(doc.json, list);
  const item = Array.isArray(value) && isNatural(index) ? value[index] : undefined;
  return isObject(item) ? item : undefined;
}

/**
 * Tests whether a value is an integer of at least 0.
 *
 * @param value Any value.
 * @returns True for safe integers of at least 0.
 */
export function isNatural(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/**
 * Gets the items of a member that is an array.
 *
 * @param object JSON object.
 * @param key Member name.
 * @returns The items; none for other values.
 */
export function itemsAt(object: JsonObject, key: string): readonly unknown[] {
  const value = memberAt(object, key);
  return Array.isArray(value) ? value : [];
}

/** What other objects require of an accessor. */
export interface AccessorShape {
  /** JSON of the accessor. */
  readonly accessor: JsonObject;
  /** `VEC3` and so on. */
  readonly type: string;
  /** The number that glTF assigns. */
  readonly componentType: number;
  /** Whether integers are normalized. */
  readonly normalized: boolean;
  /** Number of elements. */
  readonly count: number;
  /** Memory layout of an element. */
  readonly layout: ElementLayout;
}

/**
 * Describes an accessor.
 *
 * @param check The running check.
 * @param index Index of the accessor; any value.
 * @returns The shape; undefined where the index, the type, the component type or the count is invalid.
 */
export function accessorShape(check: CoreCheck, index: unknown): AccessorShape | undefined {
  const accessor = itemAt(check, 'accessors', index);
  if (accessor === undefined) return undefined;
  const [type, componentType, count] = ['type', 'componentType', 'count'].map((key) => memberAt(accessor, key));
  if (typeof type !== 'string' || !isAccessorType(type)) return undefined;
  if (typeof componentType !== 'number' || !isComponentType(componentType) || !isNatural(count)) return undefined;
  const normalized = memberAt(accessor, 'normalized') === true;
  return { accessor, type, componentType, normalized, count, layout: elementLayout(type, componentType) };
}

const COMPONENT_NAMES = ['BYTE', 'UNSIGNED_BYTE', 'SHORT', 'UNSIGNED_SHORT', '', 'UNSIGNED_INT', 'FLOAT'];

/**
 * Describes the format of an accessor for messages.
 *
 * @param shape The accessor.
 * @returns `{VEC3, FLOAT}`.
 */
export function formatOf({ type, componentType, normalized }: AccessorShape): string {
  return `{${type}, ${COMPONENT_NAMES[componentType - 5120]}${normalized ? ' normalized' : ''}}`;
}

/**
 * Reads the values of an accessor as floats.
 *
 * @param check The running check.
 * @param index Index of the accessor.
 * @param shape The accessor.
 * @returns The values; null where it has no stored data (an extension may supply it) or cannot be read, which is reported for the accessor.
 * @throws Any error that is not a FormatError.
 */
export function storedFloats({ doc }: CoreCheck, index: number, { accessor }: AccessorShape): Float32Array | null {
  if (memberAt(accessor, 'bufferView') === undefined && memberAt(accessor, 'sparse') === undefined) return null;
  try {
    return readFloats(doc, index);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return null;
  }
}

/**
 * Tests whether the buffer view of an accessor has a byteStride.
 *
 * @param check The running check.
 * @param shape The accessor.
 * @returns True with a byteStride.
 */
export function hasStride(check: CoreCheck, { accessor }: AccessorShape): boolean {
  const view = itemAt(check, 'bufferViews', memberAt(accessor, 'bufferView'));
  return view !== undefined && memberAt(view, 'byteStride') !== undefined;
}
