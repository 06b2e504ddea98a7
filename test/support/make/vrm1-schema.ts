/**
 * JSON Schemas of VRM 1.0, written from the text of the specifications: VRMC_vrm-1.0, VRMC_springBone-1.0, VRMC_materials_mtoon-1.0,
 * VRMC_node_constraint-1.0. Unlike the published ones they refuse unknown members.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { VRM_PRESETS } from '../../../src/core/face/shapes.ts';
import { BONES } from '../../../src/core/humanoid/bones.ts';
import type { JsonObject } from '../../../src/formats/gltf/document/json-access.ts';
import type { GltfDocument } from '../../../src/formats/gltf/index.ts';

type Schema = Record<string, unknown>;

const text: Schema = { type: 'string' };
const flag: Schema = { type: 'boolean' };
const number: Schema = { type: 'number' };
const positive: Schema = { type: 'number', minimum: 0 };
const fraction: Schema = { type: 'number', minimum: 0, maximum: 1 };
const id: Schema = { type: 'integer', minimum: 0 };
const texts: Schema = { type: 'array', items: text };
const one = (...values: string[]): Schema => ({ enum: values });
const list = (items: Schema, minItems = 1): Schema => ({ type: 'array', items, minItems });
const tuple = (items: Schema, count: number): Schema => ({ type: 'array', items, minItems: count, maxItems: count });
const object = (properties: Record<string, Schema>, required: readonly string[] = []): Schema => ({
  type: 'object',
  properties: { ...properties, extensions: { type: 'object' }, extras: {} },
  required: [...required],
  additionalProperties: false,
});
const map = (items: Schema): Schema => ({ type: 'object', additionalProperties: items });

const meta = object(
  {
    name: { type: 'string', minLength: 1 },
    version: text,
    authors: list({ type: 'string', minLength: 1 }),
    copyrightInformation: text,
    contactInformation: text,
    references: texts,
    thirdPartyLicenses: text,
    thumbnailImage: id,
    licenseUrl: { const: 'https://vrm.dev/licenses/1.0/' },
    avatarPermission: one('onlyAuthor', 'onlySeparatelyLicensedPerson', 'everyone'),
    allowExcessivelyViolentUsage: flag,
    allowExcessivelySexualUsage: flag,
    commercialUsage: one('personalNonProfit', 'personalProfit', 'corporation'),
    allowPoliticalOrReligiousUsage: flag,
    allowAntisocialOrHateUsage: flag,
    creditNotation: one('required', 'unnecessary'),
    allowRedistribution: flag,
    modification: one('prohibited', 'allowModification', 'allowModificationRedistribution'),
    otherLicenseUrl: text,
  },
  ['name', 'authors', 'licenseUrl'],
);
/** Bones that VRM 1.0 requires. */
const REQUIRED = [
  ...['hips', 'spine', 'head'],
  ...['left', 'right'].flatMap((side) =>
    ['UpperLeg', 'LowerLeg', 'Foot', 'UpperArm', 'LowerArm', 'Hand'].map((part) => side + part),
  ),
];
const bone = object({ node: id }, ['node']);
const humanBones: Schema = {
  ...object(Object.fromEntries(BONES.map((name) => [name, bone])), REQUIRED),
  // humanoid.md: an upper chest needs a chest, and the next bones of a thumb or finger need those before them.
  dependentRequired: { upperChest: ['chest'] },
};
const override = one('none', 'block', 'blend');
const expression = object({
  isBinary: flag,
  overrideBlink: override,
  overrideLookAt: override,
  overrideMouth: override,
  morphTargetBinds: list(object({ node: id, index: id, weight: fraction }, ['node', 'index', 'weight'])),
  materialColorBinds: list(
    object(
      {
        material: id,
        type: one('color', 'emissionColor', 'shadeColor', 'matcapColor', 'rimColor', 'outlineColor'),
        targetValue: tuple(number, 4),
      },
      ['material', 'type', 'targetValue'],
    ),
  ),
  textureTransformBinds: list(
    object({ material: id, scale: tuple(number, 2), offset: tuple(number, 2) }, ['material']),
  ),
});
const rangeMap = object({ inputMaxValue: { type: 'number', minimum: 0, maximum: 180 }, outputScale: number });
const annotation = object({ node: id, type: one('auto', 'both', 'thirdPersonOnly', 'firstPersonOnly') }, [
  'node',
  'type',
]);
const version: Schema = { const: '1.0' };

const VRM = object(
  {
    specVersion: version,
    meta,
    humanoid: object({ humanBones }, ['humanBones']),
    firstPerson: object({ meshAnnotations: { type: 'array', items: annotation } }),
    lookAt: object({
      offsetFromHeadBone: tuple(number, 3),
      type: one('bone', 'expression'),
      rangeMapHorizontalInner: rangeMap,
      rangeMapHorizontalOuter: rangeMap,
      rangeMapVerticalDown: rangeMap,
      rangeMapVerticalUp: rangeMap,
    }),
    expressions: object({
      preset: object(Object.fromEntries(VRM_PRESETS.map((name) => [name, expression]))),
      custom: { ...map(expression), propertyNames: { not: { enum: [...VRM_PRESETS] } } },
    }),
  },
  ['specVersion', 'meta', 'humanoid'],
);
const sphere = object({ offset: tuple(number, 3), radius: positive });
const capsule = object({ offset: tuple(number, 3), radius: positive, tail: tuple(number, 3) });
const joint = object(
  {
    node: id,
    hitRadius: positive,
    stiffness: positive,
    gravityPower: number,
    gravityDir: tuple(number, 3),
    dragForce: fraction,
  },
  ['node'],
);
const SPRING = object(
  {
    specVersion: version,
    colliders: list(
      object({ node: id, shape: { ...object({ sphere, capsule }), minProperties: 1, maxProperties: 1 } }, [
        'node',
        'shape',
      ]),
    ),
    colliderGroups: list(object({ name: text, colliders: list(id) }, ['colliders'])),
    springs: list(object({ name: text, joints: list(joint), colliderGroups: list(id), center: id }, ['joints'])),
  },
  ['specVersion'],
);
const color = tuple(fraction, 3);
const texture = object({ index: id, texCoord: id }, ['index']);
const TOON = object(
  {
    specVersion: version,
    transparentWithZWrite: flag,
    renderQueueOffsetNumber: { type: 'integer', minimum: -9, maximum: 9 },
    shadeColorFactor: color,
    shadeMultiplyTexture: texture,
    shadingShiftFactor: number,
    shadingShiftTexture: object({ index: id, texCoord: id, scale: number }, ['index']),
    shadingToonyFactor: fraction,
    giEqualizationFactor: fraction,
    matcapFactor: color,
    matcapTexture: texture,
    parametricRimColorFactor: color,
    rimMultiplyTexture: texture,
    rimLightingMixFactor: fraction,
    parametricRimFresnelPowerFactor: positive,
    parametricRimLiftFactor: number,
    outlineWidthMode: one('none', 'worldCoordinates', 'screenCoordinates'),
    outlineWidthFactor: positive,
    outlineWidthMultiplyTexture: texture,
    outlineColorFactor: color,
    outlineLightingMixFactor: fraction,
    uvAnimationMaskTexture: texture,
    uvAnimationScrollXSpeedFactor: number,
    uvAnimationScrollYSpeedFactor: number,
    uvAnimationRotationSpeedFactor: number,
  },
  ['specVersion'],
);
const constraint = {
  ...object({
    roll: object({ source: id, rollAxis: one('X', 'Y', 'Z'), weight: fraction }, ['source', 'rollAxis']),
    aim: object(
      {
        source: id,
        aimAxis: one('PositiveX', 'NegativeX', 'PositiveY', 'NegativeY', 'PositiveZ', 'NegativeZ'),
        weight: fraction,
      },
      ['source', 'aimAxis'],
    ),
    rotation: object({ source: id, weight: fraction }, ['source']),
  }),
  minProperties: 1,
};
const CONSTRAINT = object({ specVersion: version, constraint }, ['specVersion', 'constraint']);

const ajv = new Ajv2020({ strict: false, allErrors: true });
const SCHEMAS = {
  VRMC_vrm: ajv.compile(VRM),
  VRMC_springBone: ajv.compile(SPRING),
  VRMC_materials_mtoon: ajv.compile(TOON),
  VRMC_node_constraint: ajv.compile(CONSTRAINT),
};

/** Faults of the VRM 1.0 extensions of a document, as `extension/pointer: message`; a document without VRMC_vrm has one. */
export function vrm1Faults({ json }: GltfDocument): string[] {
  const faults: string[] = [];
  const used = (json['extensionsUsed'] ?? []) as string[];
  const check = (owner: JsonObject): void => {
    const extensions = (owner['extensions'] ?? {}) as JsonObject;
    for (const [name, validate] of Object.entries(SCHEMAS)) {
      if (extensions[name] === undefined) continue;
      if (!used.includes(name)) faults.push(`${name}: not in extensionsUsed`);
      if (validate(extensions[name])) continue;
      for (const error of validate.errors ?? []) faults.push(`${name}${error.instancePath}: ${error.message}`);
    }
  };
  check(json);
  for (const key of ['nodes', 'materials']) for (const item of (json[key] ?? []) as JsonObject[]) check(item);
  const root = (json['extensions'] ?? {}) as JsonObject;
  if (root['VRMC_vrm'] === undefined) faults.push('VRMC_vrm: missing');
  if (root['VRM'] !== undefined || used.includes('VRM')) faults.push('VRM: still there');
  return faults;
}
