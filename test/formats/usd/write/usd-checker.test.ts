/** Checks written characters by the rules of usdchecker, and our implementation of the rules by its own test files. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { NewAnimation } from '../../../../src/core/asset/asset.ts';
import type { Geometry } from '../../../../src/core/asset/geometry.ts';
import type { Material } from '../../../../src/core/asset/material.ts';
import { convertFile } from '../../../../src/files/jobs/convert-file.ts';
import { openBytes } from '../../../../src/files/open.ts';
import { concatParts } from '../../../../src/formats/gltf/document/glb.ts';
import { serializeUsdc } from '../../../../src/formats/usd/crate/serialize-usdc.ts';
import { readUsdz } from '../../../../src/formats/usd/package/read-usdz.ts';
import { writeUsdz } from '../../../../src/formats/usd/package/write-usdz.ts';
import { defaultMaterial } from '../../../../src/formats/usd/read/materials/preview-surface.ts';
import { readUsdLayer } from '../../../../src/formats/usd/read-usd-layer.ts';
import { openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import { writeCharacterLayer } from '../../../../src/formats/usd/write/write-character-layer.ts';
import { asset, assetFiles, HAS_ASSETS } from '../../../support/assets.ts';
import { sampledCases } from '../../../support/law-runs.ts';
import { JPEG, PNG } from '../images.ts';
import { animation, geometryOf, mesh, skin, track, triangle } from './small-geometry.ts';
import { checkPackage, checkStage } from './usd-checker.ts';
import { METERS_Y } from './written-points.ts';

const OWN = 'conformance/usd/openusd/pxr/usd/bin/usdchecker/testenv/testUsdChecker';
/** usdchecker's bad files, and the rules that each breaks. */
const BAD: Readonly<Record<string, readonly string[]>> = {
  'badGprimParent.usda': ['PrimEncapsulation'],
  'badShaderParent.usda': ['PrimEncapsulation'],
  'badShaderScopeParent.usda': ['PrimEncapsulation'],
  'badNormalMapReader.usda': ['NormalMapTexture'],
  'badShaderId.usdc': ['ARKitShader'],
  'badShaderImplSource.usdc': ['ARKitShader'],
  'badShaderInput.usdc': ['ARKitShader'],
  'badShaderUnknownTexture.usdc': ['Texture'],
  'badMaterialBinding.usdc': ['ARKitMaterialBinding'],
  'badMaterialBindingAPIApplied.usda': ['MaterialBindingAPIApplied'],
  'badSkelBindingAPIApplied.usda': ['SkelBindingAPIApplied'],
  'badSkelBindingNoSkelRoot.usda': ['SkelBindingAPIApplied'],
  'badPropertyType.usd': ['ShaderSdrCompliance'],
  'unsupportedTypes_arkit.usdc': ['ARKitPrimType'],
  'noDefaultPrim.usda': ['StageMetadata'],
  'noMetrics.usda': ['StageMetadata'],
  'noUpAxis.usda': ['StageMetadata'],
  'zUp.usdc': ['ARKitStage'],
};

function own(...path: string[]): Uint8Array {
  return new Uint8Array(readFileSync(asset(OWN, ...path)));
}
/** Lists the unique rules of findings. */
function rulesOf(findings: readonly string[]): Set<string> {
  return new Set(findings.map((finding) => finding.slice(0, finding.indexOf(':'))));
}

describe.skipIf(!HAS_ASSETS)("checkStage and checkPackage with usdchecker's own files", () => {
  it.each(Object.entries(BAD))('%s: breaks %j', (name, rules) => {
    expect([...rulesOf(checkStage(openStage(readUsdLayer(own('bad', name)))))]).toEqual(
      expect.arrayContaining([...rules]),
    );
  });

  it('find broken package rules', () => {
    expect(rulesOf(checkPackage(own('bad', 'badUsdz.usdz')))).toContain('ByteAlignment');
    expect(rulesOf(checkPackage(own('bad', 'unknownfile.usdz')))).toContain('ARKitFileExtension');
    expect(rulesOf(checkPackage(own('bad', 'badExtension_arkit.usdz')))).toContain('ARKitRootLayer');
    for (const name of ['clean_arkit', 'clean_flat', 'clean_usdc']) {
      expect(checkPackage(own('clean', `${name}.usdz`)), name).toEqual([]);
    }
  });

  it('find nothing in clean files', () => {
    for (const name of ['MaterialBindingAPIApplied', 'NormalMapReader', 'SkelBindingAPIApplied']) {
      const findings = checkStage(openStage(readUsdLayer(own('clean', `clean${name}.usda`))));
      // These files are clean without `--arkit`, and lack the extents that UsdGeom requires.
      expect(
        [...rulesOf(findings)].filter((rule) => !/^(?:ARKit|Extents)/.test(rule)),
        name,
      ).toEqual([]);
    }
  });
});

/** Checks a package and its stage. */
function findingsOf(bytes: Uint8Array): string[] {
  const [root, ...files] = readUsdz(bytes).entries;
  const stage = openStage(readUsdLayer(root.bytes));
  return [...checkPackage(bytes), ...checkStage(stage, new Set(files.map(({ name }) => name)))];
}

/** A head on a neck with all kinds of textures, UV sets, a morph target, a hat without a skin, and a clip. */
function everything(): { geometry: Geometry; clips: NewAnimation[] } {
  const uv = Float32Array.of(0, 0, 1, 0, 0, 1);
  const none = { vertices: null, normals: null, tangents: null };
  const shape = { ...none, positions: Float32Array.of(0, 0, 1, 0, 0, 0, 0, 0, 2) };
  const face = triangle([0, 1, 1], { uvs: [uv, uv], morphTargets: [shape], material: 0 });
  const plain = geometryOf(
    [
      ['neck', -1],
      ['head', 0, [0, 1, 0]],
      ['hat', 1, [0, 0.5, 0]],
    ],
    {
      meshes: [mesh('face', [face], { morphNames: ['smile'], morphWeights: Float32Array.of(0.5) }), mesh('hat')],
      skins: [
        skin(
          [0, 1],
          [
            [0, 0, 0],
            [0, 1, 0],
          ],
        ),
      ],
      shown: [
        { node: 0, skin: 0 },
        { node: 2, mesh: 1 },
      ],
    },
  );
  const transform = { offset: [0.5, 0], rotation: 1, scale: [2, 2] } as const;
  const [first, moved] = [
    { texture: 0, uvSet: 0, transform: null },
    { texture: 1, uvSet: 1, transform },
  ];
  const materials: Material[] = [
    {
      ...defaultMaterial('Skin'),
      baseColorTexture: first,
      metallicRoughnessTexture: moved,
      normalTexture: moved,
      occlusionTexture: first,
      emissiveTexture: first,
      emissive: [1, 1, 1],
      alphaMode: 'blend',
    },
    { ...defaultMaterial('Flat'), unlit: true },
  ];
  const sampling = { wrapU: 'repeat', wrapV: 'clamp', magFilter: null, minFilter: null } as const;
  const textures = [
    { name: 'a', image: PNG(1), mimeType: 'image/png', ...sampling },
    { name: 'b', image: JPEG(3), mimeType: 'image/jpeg', ...sampling },
  ];
  const nod = track(1, 'rotation', [0, 1], [0, 0, 0, 1, 0, 0, Math.SQRT1_2, Math.SQRT1_2]);
  return { geometry: { ...plain, materials, textures }, clips: [animation('Nod', [nod])] };
}

/** A selection of each format: other Maya and Mixamo files are similar, and one file has meshes that take a second to decode. */
const FILES = [
  ...['assets/glb', 'assets/vrm', 'assets/negative']
    .flatMap((folder) => assetFiles(folder, 'glb', 'vrm'))
    .filter((path) => !path.includes('VALID')),
  ...assetFiles('assets/fbx', 'fbx').filter((path) => /mixamo|maya_character|maya_human_ik_7400/.test(path)),
];

describe('writeCharacterLayer and usdchecker rules', () => {
  it('breaks no rule with all features', () => {
    const { geometry, clips } = everything();
    const { layer, files } = writeCharacterLayer(geometry, clips, [], METERS_Y, 'Hero');
    expect(files).toHaveLength(2);
    const bytes = writeUsdz([{ name: 'hero.usdc', bytes: serializeUsdc(layer) }, ...files]);
    expect(findingsOf(bytes)).toEqual([]);
    const types = openStage(layer).prims.map(({ typeName }) => typeName);
    expect(types).toEqual(expect.arrayContaining(['Skeleton', 'SkelAnimation', 'BlendShape', 'Material', 'Shader']));
  });

  it('breaks rules if a texture is missing or an API schema is not applied', () => {
    const { geometry, clips } = everything();
    const { layer, files } = writeCharacterLayer(geometry, clips, [], METERS_Y, 'Hero');
    for (const [, { fields }] of layer.specs) fields.delete('apiSchemas');
    const bytes = writeUsdz([{ name: 'hero.usdc', bytes: serializeUsdc(layer) }, ...files.slice(1)]);
    const rules = ['MissingReference', 'MaterialBindingAPIApplied', 'SkelBindingAPIApplied', 'SkelBinding'];
    expect([...rulesOf(findingsOf(bytes))].sort()).toEqual([...rules].sort());
  });

  it
    .skipIf(!HAS_ASSETS)
    .each(HAS_ASSETS ? sampledCases(FILES, 3).map((path) => [basename(path), path]) : [['a file', '']])(
    '%s: breaks no rule',
    async (name, path) => {
      const file = await openBytes(readFileSync(path), { name });
      const clips = file.asset.clips.length === 0 ? {} : { clips: [0] };
      const { outputs } = await convertFile(file, { output: 'character.usdz', ...clips });
      expect(outputs).toHaveLength(1);
      expect(findingsOf(concatParts(outputs[0].parts))).toEqual([]);
    },
  );
});
