/** Serializes layers as USD text files (`.usda`), in the layout of OpenUSD. */
import type { Layer, Spec } from '../layer/layer.ts';
import { childPath, propertyPath } from '../layer/paths.ts';
import { INDENT, serializeMetadata } from './serialize-metadata.ts';
import { emitProperty } from './serialize-property.ts';
import { serializeString } from './serialize-string.ts';
import type { Emit } from './serialize-value.ts';

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

/** Emits the statements of a prim or variant and lists what follows them in its braces. */
function emitContents(layer: Layer, path: string, spec: Spec, indent: string, emit: Emit): Piece[] {
  const orders = [
    ...orderLine(spec, 'propertyOrder', 'properties', indent),
    ...orderLine(spec, 'primOrder', 'nameChildren', indent),
  ];
  for (const line of orders) emit(line);
  let isEmpty = orders.length === 0;
  for (const name of namesOf(spec, 'properties')) {
    const property = layer.specs.get(propertyPath(path, name));
    if (property?.type !== 'attribute' && property?.type !== 'relationship') continue;
    emitProperty(property, name, indent, emit);
    isEmpty = false;
  }
  const children = namesOf(spec, 'primChildren').flatMap((name, k): Piece[] => {
    const child = { path: childPath(path, name), name, indent };
    return !isEmpty || k > 0 ? ['\n', child] : [child];
  });
  const sets = namesOf(spec, 'variantSetChildren').map((name): Piece => ({ path: `${path}{${name}=}`, name, indent }));
  return [...children, ...sets];
}

function emitPrim(
  layer: Layer,
  { path, name, indent }: Exclude<Piece, string>,
  spec: Spec,
  emit: Emit,
): readonly Piece[] {
  const specifier = spec.fields.get('specifier');
  const typeName = spec.fields.get('typeName');
  const type = typeName !== undefined && 'texts' in typeName ? ` ${typeName.texts[0]}` : '';
  const metadata = serializeMetadata(spec, indent);
  const head = `${indent}${specifier?.type === 'word' ? specifier.word : 'over'}${type} ${serializeString(name)}`;
  emit(`${head}${metadata === '' ? '' : ` ${metadata}`}\n${indent}{\n`);
  return [...emitContents(layer, path, spec, indent + INDENT, emit), `${indent}}\n`];
}

function setPieces(path: string, name: string, spec: Spec, indent: string): Piece[] {
  const variants = namesOf(spec, 'variantChildren').map((variant): Piece => {
    return { path: path.replace(/=\}$/, `=${variant}}`), name: variant, indent: indent + INDENT };
  });
  return [`${indent}variantSet ${serializeString(name)} = {\n`, ...variants, `${indent}}\n`];
}

function emitVariant(
  layer: Layer,
  { path, name, indent }: Exclude<Piece, string>,
  spec: Spec,
  emit: Emit,
): readonly Piece[] {
  const metadata = serializeMetadata(spec, indent);
  emit(`${indent}${serializeString(name)} ${metadata === '' ? '' : `${metadata} `}{\n`);
  return [...emitContents(layer, path, spec, indent + INDENT, emit), `\n${indent}}\n`];
}

/** The type of specs at a path of a prim, variant set or variant. */
function typeAt(path: string): Spec['type'] {
  if (path.endsWith('=}')) return 'variantSet';
  return path.endsWith('}') ? 'variant' : 'prim';
}

/** Emits the beginning of the spec of a piece and lists the pieces after it. Specs of a type that does not belong at their path are left out. */
function emitSpec(layer: Layer, piece: Exclude<Piece, string>, emit: Emit): readonly Piece[] {
  const spec = layer.specs.get(piece.path);
  if (spec === undefined || spec.type !== typeAt(piece.path)) return [];
  if (spec.type === 'prim') return emitPrim(layer, piece, spec, emit);
  if (spec.type === 'variantSet') return setPieces(piece.path, piece.name, spec, piece.indent);
  return emitVariant(layer, piece, spec, emit);
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

/** Serializes a layer as {@link serializeUsda} does, in parts. */
export function emitUsda(layer: Layer, emit: Emit): void {
  const root = layer.specs.get('/');
  const stack: Piece[] = root === undefined ? ['#usda 1.0\n'] : headPieces(root).reverse();
  for (let piece = stack.pop(); piece !== undefined; piece = stack.pop()) {
    if (typeof piece === 'string') emit(piece);
    else {
      const next = emitSpec(layer, piece, emit);
      for (let k = next.length - 1; k >= 0; k--) stack.push(next[k]);
    }
  }
}

/**
 * Serializes a layer as text, which {@link parseUsda} reads as the same layer. Listed children without a spec, or of a type that does not belong at their
 * path, and list ops without items are left out.
 *
 * @returns Content of a `.usda` file.
 * @throws RangeError for asset paths that USD text cannot express, and for time samples in metadata fields.
 * @example
 * ```ts
 * const layer = readUsdLayer(bytes); // .usdc, .usdz or .usda
 * await writeFile('hero.usda', serializeUsda(layer));
 * ```
 */
export function serializeUsda(layer: Layer): string {
  const out: string[] = [];
  emitUsda(layer, (text) => out.push(text));
  return out.join('');
}
