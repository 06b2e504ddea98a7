/** Serializes layers as USD text files (`.usda`), in the layout of OpenUSD. */
import type { Layer, Spec } from '../layer/layer.ts';
import { childPath, propertyPath } from '../layer/paths.ts';
import { INDENT, serializeMetadata } from './serialize-metadata.ts';
import { serializeProperty } from './serialize-property.ts';
import { serializeString } from './serialize-string.ts';

/** A pending part of the output: text, or the spec at a path. A stack replaces recursion, since the depth comes from the file. */
type Piece = string | { readonly path: string; readonly name: string; readonly indent: string };

function namesOf(spec: Spec | undefined, field: string): readonly string[] {
  const value = spec?.fields.get(field);
  return value?.type === 'names' ? value.names : [];
}

function orderLine(spec: Spec, field: string, word: string, indent: string): string[] {
  const value = spec.fields.get(field);
  if (value?.type !== 'names') return [];
  return [`${indent}reorder ${word} = [${value.names.map(serializeString).join(', ')}]\n`];
}

/** Lists the contents of the braces of a prim or variant. */
function contentPieces(layer: Layer, path: string, spec: Spec, indent: string): Piece[] {
  const properties = namesOf(spec, 'properties').flatMap((name): string[] => {
    const property = layer.specs.get(propertyPath(path, name));
    return property === undefined ? [] : [serializeProperty(property, name, indent)];
  });
  const own = [
    ...orderLine(spec, 'propertyOrder', 'properties', indent),
    ...orderLine(spec, 'primOrder', 'nameChildren', indent),
    ...properties,
  ];
  const children = namesOf(spec, 'primChildren').flatMap((name, k): Piece[] => {
    const child = { path: childPath(path, name), name, indent };
    return own.length > 0 || k > 0 ? ['\n', child] : [child];
  });
  const sets = namesOf(spec, 'variantSetChildren').map((name): Piece => ({ path: `${path}{${name}=}`, name, indent }));
  return [...own, ...children, ...sets];
}

function primPieces(layer: Layer, path: string, name: string, spec: Spec, indent: string): Piece[] {
  const specifier = spec.fields.get('specifier');
  const typeName = spec.fields.get('typeName');
  const type = typeName !== undefined && 'texts' in typeName ? ` ${typeName.texts[0]}` : '';
  const metadata = serializeMetadata(spec, indent);
  const head = `${indent}${specifier?.type === 'word' ? specifier.word : 'over'}${type} ${serializeString(name)}`;
  return [
    `${head}${metadata === '' ? '' : ` ${metadata}`}\n${indent}{\n`,
    ...contentPieces(layer, path, spec, indent + INDENT),
    `${indent}}\n`,
  ];
}

function setPieces(path: string, name: string, spec: Spec, indent: string): Piece[] {
  const variants = namesOf(spec, 'variantChildren').map((variant): Piece => {
    return { path: path.replace(/=\}$/, `=${variant}}`), name: variant, indent: indent + INDENT };
  });
  return [`${indent}variantSet ${serializeString(name)} = {\n`, ...variants, `${indent}}\n`];
}

function variantPieces(layer: Layer, path: string, name: string, spec: Spec, indent: string): Piece[] {
  const metadata = serializeMetadata(spec, indent);
  return [
    `${indent}${serializeString(name)} ${metadata === '' ? '' : `${metadata} `}{\n`,
    ...contentPieces(layer, path, spec, indent + INDENT),
    `\n${indent}}\n`,
  ];
}

function piecesOf(layer: Layer, { path, name, indent }: Exclude<Piece, string>): Piece[] {
  const spec = layer.specs.get(path);
  if (spec?.type === 'prim') return primPieces(layer, path, name, spec, indent);
  if (spec?.type === 'variantSet') return setPieces(path, name, spec, indent);
  return spec?.type === 'variant' ? variantPieces(layer, path, name, spec, indent) : [];
}

function headPieces(root: Spec): Piece[] {
  const metadata = serializeMetadata(root, '');
  const order = orderLine(root, 'primOrder', 'rootPrims', '');
  return [
    '#usda 1.0\n',
    metadata === '' ? '\n' : `${metadata}\n\n`,
    ...(order.length === 0 ? [] : [...order, '\n']),
    ...namesOf(root, 'primChildren').flatMap((name): Piece[] => [{ path: `/${name}`, name, indent: '' }, '\n']),
  ];
}

/**
 * Serializes a layer as text, which {@link parseUsda} reads as the same layer. Listed children without a spec and list ops without items are left
 * out.
 *
 * @param layer - The layer.
 * @returns Content of a `.usda` file.
 * @throws RangeError for asset paths that USD text cannot express, and for time samples in metadata fields.
 *
 * @example
 * ```ts
 * const layer = readUsdLayer(bytes); // .usdc, .usdz or .usda
 * await writeFile('hero.usda', serializeUsda(layer));
 * ```
 */
export function serializeUsda(layer: Layer): string {
  const root = layer.specs.get('/');
  const out: string[] = [];
  const stack: Piece[] = root === undefined ? ['#usda 1.0\n'] : headPieces(root).reverse();
  for (let piece = stack.pop(); piece !== undefined; piece = stack.pop()) {
    if (typeof piece === 'string') out.push(piece);
    else for (const next of piecesOf(layer, piece).reverse()) stack.push(next);
  }
  return out.join('');
}
