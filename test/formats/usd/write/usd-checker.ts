/**
 * Implements the rules of `usdchecker`, OpenUSD's compliance checker, including its option `--arkit`, for files without variants, references and
 * collections. A finding begins with the name of the rule.
 */
import { primPathOf } from '../../../../src/formats/usd/layer/paths.ts';
import type { Value } from '../../../../src/formats/usd/layer/value.ts';
import { readBindings, skelRoots } from '../../../../src/formats/usd/skel/bindings.ts';
import { numbersOf, textsOf } from '../../../../src/formats/usd/skel/typed-values.ts';
import { attributeValue } from '../../../../src/formats/usd/stage/attribute-values.ts';
import { opinionsAt } from '../../../../src/formats/usd/stage/prim-index.ts';
import { connectionsOf, targetsOf } from '../../../../src/formats/usd/stage/relationship-targets.ts';
import { textField } from '../../../../src/formats/usd/stage/spec-fields.ts';
import { isUsable, type Prim, primAndAncestors, primAt, type Stage } from '../../../../src/formats/usd/stage/stage.ts';

const GPRIMS = ['Mesh', 'Cube', 'Sphere', 'Cylinder', 'Cone', 'Capsule', 'Points', 'BasisCurves', 'NurbsCurves'];
const BOUNDABLES = [...GPRIMS, 'SkelRoot', 'Skeleton', 'PointInstancer'];
const CONTAINERS = ['Material', 'NodeGraph'];
const CONNECTABLES = [...CONTAINERS, 'Shader'];
/** Prim types that ARKit supports. */
const ARKIT_TYPES = [
  '',
  ...['Scope', 'Xform', 'Camera', 'Shader', 'Material', 'Mesh', 'Sphere', 'Cube', 'Cylinder', 'Cone', 'Capsule'],
  ...['GeomSubset', 'Points', 'SkelRoot', 'Skeleton', 'SkelAnimation', 'BlendShape', 'SpatialAudio'],
];
const IMAGES = ['png', 'jpg'];
const LAYERS = ['usd', 'usda', 'usdc', 'usdz'];

/** Property types of the UsdPreviewSurface shaders. */
const SHADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  UsdPreviewSurface: {
    'inputs:diffuseColor': 'color3f',
    'inputs:emissiveColor': 'color3f',
    'inputs:useSpecularWorkflow': 'int',
    'inputs:specularColor': 'color3f',
    'inputs:metallic': 'float',
    'inputs:roughness': 'float',
    'inputs:clearcoat': 'float',
    'inputs:clearcoatRoughness': 'float',
    'inputs:opacity': 'float',
    'inputs:opacityThreshold': 'float',
    'inputs:ior': 'float',
    'inputs:normal': 'normal3f',
    'inputs:displacement': 'float',
    'inputs:occlusion': 'float',
    'outputs:surface': 'token',
    'outputs:displacement': 'token',
  },
  UsdUVTexture: {
    'inputs:file': 'asset',
    'inputs:st': 'float2',
    'inputs:wrapS': 'token',
    'inputs:wrapT': 'token',
    'inputs:fallback': 'float4',
    'inputs:scale': 'float4',
    'inputs:bias': 'float4',
    'inputs:sourceColorSpace': 'token',
    'outputs:r': 'float',
    'outputs:g': 'float',
    'outputs:b': 'float',
    'outputs:a': 'float',
    'outputs:rgb': 'float3',
  },
  UsdPrimvarReader_float2: { 'inputs:varname': 'string', 'inputs:fallback': 'float2', 'outputs:result': 'float2' },
  UsdTransform2d: {
    'inputs:in': 'float2',
    'inputs:rotation': 'float',
    'inputs:scale': 'float2',
    'inputs:translation': 'float2',
    'outputs:result': 'float2',
  },
};

type Report = (rule: string, about: string) => void;

function plainValue(stage: Stage, prim: string, name: string): Value | null {
  return attributeValue(stage, prim, name, 'default');
}

function tokenOf(stage: Stage, prim: string, name: string): string | undefined {
  return textsOf(plainValue(stage, prim, name))?.[0];
}

function extensionOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function checkMetadata({ metrics }: Stage, report: Report): void {
  if (!metrics.isUpAxisAuthored) report('StageMetadata', 'no upAxis');
  if (!metrics.isMetersPerUnitAuthored) report('StageMetadata', 'no metersPerUnit');
  if (metrics.defaultPrim === null) report('StageMetadata', 'no default prim');
}

function checkNesting(stage: Stage, { path, typeName, parent }: Prim, report: Report): void {
  const above = primAndAncestors(stage, parent);
  if (BOUNDABLES.includes(typeName) && above.some((prim) => GPRIMS.includes(prim.typeName))) {
    report('PrimEncapsulation', `${path} is below a Gprim`);
  }
  if (!CONNECTABLES.includes(typeName)) return;
  const isFree = above.every((prim) => !CONNECTABLES.includes(prim.typeName));
  if (!isFree && !CONTAINERS.includes(above[0].typeName)) {
    report('PrimEncapsulation', `${path} is below ${above[0].path}, no container`);
  }
}

/** Finds the shader output that an input is connected to; null for none. */
function sourceOf(stage: Stage, prim: string, input: string, report: Report): { prim: Prim; output: string } | null {
  const sources = connectionsOf(stage, prim, input) ?? [];
  if (sources.length === 0) return null;
  if (sources.length > 1) report('ARKitShader', `${prim}.${input} has ${sources.length} sources`);
  const [source] = sources;
  const from = primAt(stage, primPathOf(source));
  const output = source.slice(primPathOf(source).length + 1);
  if (from === null || !from.properties.includes(output)) {
    report('ARKitShader', `${prim}.${input} is connected to ${source}, which is not there`);
    return null;
  }
  if (!['Shader', 'Material'].includes(from.typeName)) report('ARKitShader', `${source} is no shader's`);
  return { prim: from, output };
}

function checkShader(stage: Stage, { path, properties, sites }: Prim, report: Report): void {
  const source = tokenOf(stage, path, 'info:implementationSource') ?? 'id';
  if (source !== 'id') report('ARKitShader', `${path} is made of ${source}`);
  const id = tokenOf(stage, path, 'info:id') ?? '';
  const known = SHADERS[id];
  if (known === undefined && !id.startsWith('UsdPrimvarReader')) report('ARKitShader', `${path} is a ${id}`);
  for (const name of properties) {
    if (name.startsWith('inputs:')) sourceOf(stage, path, name, report);
    const [strongest] = opinionsAt(sites, name);
    const typeName = textField(strongest.spec, 'typeName');
    if (known === undefined || !/^(?:inputs|outputs):/.test(name)) continue;
    if (known[name] !== typeName) report('ShaderSdrCompliance', `${path}.${name} is ${typeName}, not ${known[name]}`);
  }
  const normal = id === 'UsdPreviewSurface' ? sourceOf(stage, path, 'inputs:normal', () => {}) : null;
  if (normal !== null) checkNormalMap(stage, normal.prim.path, report);
}

function checkNormalMap(stage: Stage, texture: string, report: Report): void {
  if (tokenOf(stage, texture, 'info:id') !== 'UsdUVTexture') return;
  const isConnected = connectionsOf(stage, texture, 'inputs:file') !== null;
  if (!isConnected && plainValue(stage, texture, 'inputs:file') === null)
    report('NormalMapTexture', `${texture} has no file`);
  if (tokenOf(stage, texture, 'inputs:sourceColorSpace') !== 'raw') report('NormalMapTexture', `${texture} is not raw`);
  const [scale, bias] = ['scale', 'bias'].map(
    (name) => numbersOf(plainValue(stage, texture, `inputs:${name}`), 4) ?? [],
  );
  // x and y may differ from 2 to change the strength of the map: usdchecker only warns about it.
  const isEven = scale[0] === scale[1] && [0, 1, 2].every((c) => scale[c] === -2 * bias[c]);
  if (!(isEven && scale[2] === 2)) report('NormalMapTexture', `${texture} has scale ${scale} and bias ${bias}`);
}

function checkFiles(stage: Stage, { path, properties }: Prim, files: ReadonlySet<string> | null, report: Report): void {
  for (const name of properties) {
    const value = plainValue(stage, path, name);
    for (const file of value?.type === 'asset' ? value.texts : []) {
      if (!IMAGES.includes(extensionOf(file).toLowerCase())) report('Texture', `${path}.${name} is ${file}`);
      if (files !== null && !files.has(file.replace(/^\.\//, ''))) report('MissingReference', `there is no ${file}`);
    }
  }
}

function checkBindings(stage: Stage, { path, properties, apiSchemas, typeName }: Prim, report: Report): void {
  for (const name of properties.filter((property) => property.startsWith('material:binding'))) {
    if (!apiSchemas.includes('MaterialBindingAPI')) report('MaterialBindingAPIApplied', path);
    const targets = targetsOf(stage, path, name) ?? [];
    // The first of two targets is a collection.
    const isMaterial = targets.length < 3 && primAt(stage, targets[targets.length - 1])?.typeName === 'Material';
    if (!isMaterial) report('ARKitMaterialBinding', `${path} has ${targets}`);
  }
  const isBound = properties.some((name) => /^(?:primvars:)?skel:/.test(name));
  if (isBound && !apiSchemas.includes('SkelBindingAPI')) report('SkelBindingAPIApplied', path);
  const isInRoot = primAndAncestors(stage, path).some((prim) => prim.typeName === 'SkelRoot');
  if (apiSchemas.includes('SkelBindingAPI') && typeName !== 'SkelRoot' && !isInRoot) {
    report('SkelBindingAPIApplied', `${path} is below no SkelRoot`);
  }
}

/** Checks that the extent of a Gprim contains its points. */
function checkExtent(stage: Stage, { path }: Prim, report: Report): void {
  const extent = numbersOf(plainValue(stage, path, 'extent'), 3);
  const points = numbersOf(plainValue(stage, path, 'points'), 3) ?? [];
  if (extent?.length !== 6) report('Extents', `${path} has none`);
  else if (points.some((value, i) => value < extent[i % 3] || value > extent[3 + (i % 3)])) {
    report('Extents', `${path} has points outside`);
  }
}

/** Lists the broken rules of a stage. `files`: paths of the files beside the layer; null skips their check. */
export function checkStage(stage: Stage, files: ReadonlySet<string> | null = null): string[] {
  const findings: string[] = [];
  const report: Report = (rule, about) => findings.push(`${rule}: ${about}`);
  checkMetadata(stage, report);
  if (stage.metrics.upAxis !== 'Y') report('ARKitStage', 'Z is up');
  for (const prim of stage.prims.filter(isUsable)) {
    const { path, typeName } = prim;
    if (!ARKIT_TYPES.includes(typeName)) report('ARKitPrimType', `${path} is a ${typeName}`);
    checkNesting(stage, prim, report);
    checkFiles(stage, prim, files, report);
    checkBindings(stage, prim, report);
    if (typeName === 'Shader') checkShader(stage, prim, report);
    if (typeName === 'Mesh') checkExtent(stage, prim, report);
  }
  for (const root of skelRoots(stage)) {
    const { issues } = readBindings(stage, root, { isStrict: true });
    for (const { message } of issues) report('SkelBinding', message);
  }
  return findings;
}

/** Lists the broken rules of a package, by its directory and file headers. */
export function checkPackage(bytes: Uint8Array): string[] {
  const findings: string[] = [];
  const report: Report = (rule, about) => findings.push(`${rule}: ${about}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let end = bytes.length - 22;
  while (view.getUint32(end, true) !== 0x06054b50) end--;
  let at = view.getUint32(end + 16, true);
  for (let entry = 0; entry < view.getUint16(end + 10, true); entry++) {
    const length = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + length));
    const local = view.getUint32(at + 42, true);
    const data = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    if (view.getUint16(at + 10, true) !== 0) report('Compression', name);
    if (data % 64 !== 0) report('ByteAlignment', `${name} at ${data}`);
    if (![...LAYERS, ...IMAGES].includes(extensionOf(name))) report('ARKitFileExtension', name);
    if (entry === 0 && extensionOf(name) !== 'usdc') report('ARKitRootLayer', name);
    at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return findings;
}
