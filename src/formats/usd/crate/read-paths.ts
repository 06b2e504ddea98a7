/** Reads the PATHS section of a binary USD file: a tree of path elements. */
import { FormatError } from '../../../core/report/format-error.ts';
import { isPathElement } from '../layer/check-names.ts';
import { childPath } from '../layer/paths.ts';
import { type ByteReader, crateError, readInt64, readUint8, readUint32, readUint64, seek } from './byte-reader.ts';
import { MAX_PATH_DEPTH, reserveMemory } from './crate-limits.ts';
import { tokenAt } from './crate-reader.ts';
import { VERSION } from './data-types.ts';
import { readCompressedInts } from './integer-coding.ts';
import { type CrateVersion, type SectionReading, seekSection } from './read-sections.ts';

/** Joins the path of a child. Tokens have the marks of variants, targets and target attributes, but only the name of properties. */
function elementPath(parent: string, element: string, isProperty: boolean): string {
  if (isProperty) return `${parent}.${element}`;
  const mark = element[0];
  return mark === '{' || mark === '[' || mark === '.' ? parent + element : childPath(parent, element);
}

interface PendingNode {
  readonly at: number;
  readonly parent: string;
  readonly isBelowProperty: boolean;
  readonly depth: number;
}

/** A node of the tree. `sibling` is the location of the next sibling if the node also has children. */
interface PathTreeNode {
  readonly index: number;
  readonly element: number;
  readonly isProperty: boolean;
  readonly hasChild: boolean;
  readonly hasSibling: boolean;
  readonly sibling: number;
  /** Location of the next node. */
  readonly next: number;
}

/** Throws FormatError for an element that text files cannot contain. Each token is checked once as a property and once as another element. */
function checkElement(known: Set<number>, { element, isProperty }: PathTreeNode, text: string): void {
  const key = 2 * element + (isProperty ? 1 : 0);
  if (known.has(key)) return;
  known.add(key);
  if (isPathElement(text, isProperty)) return;
  const what = isProperty ? 'property' : 'prim';
  throw crateError(`Found ${JSON.stringify(text.slice(0, 80))} in a path, expected the name of a ${what}`, null);
}

/** Throws FormatError for a prim or property below a property: only targets, mappers and what belongs to them are there. */
function checkBelowProperty(parent: string, text: string): void {
  if (text[0] === '[' || text[0] === '.') return;
  throw crateError(
    `Found ${JSON.stringify(text.slice(0, 80))} below the property ${parent.slice(0, 80)}, expected only targets there`,
    null,
  );
}

/** Walks the tree without recursion; `readNode` reads the node at a location. Every node is visited at most once. */
function walkPathTree(
  reading: SectionReading,
  tokens: readonly string[],
  first: number,
  paths: string[],
  readNode: (at: number) => PathTreeNode,
): void {
  const pending: PendingNode[] = [];
  const known = new Set<number>();
  let at = first;
  let parent = '';
  let isBelowProperty = false;
  let depth = 0;
  for (let visited = 0; ; visited++) {
    if (visited >= paths.length) throw crateError('The path tree has a cycle', reading.source.at);
    const node = readNode(at);
    if (node.index >= paths.length) {
      throw crateError(
        `The path tree contains path ${node.index}, but the file has ${paths.length} paths`,
        reading.source.at,
      );
    }
    let path = '/';
    if (parent === '') parent = path;
    else {
      const element = tokenAt({ tokens, source: reading.source }, node.element);
      checkElement(known, node, element);
      if (isBelowProperty) checkBelowProperty(parent, element);
      reserveMemory(reading.budget, parent.length + element.length + 32);
      path = elementPath(parent, element, node.isProperty);
    }
    paths[node.index] = path;
    at = node.next;
    if (node.hasChild) {
      if (node.hasSibling) pending.push({ at: node.sibling, parent, isBelowProperty, depth });
      parent = path;
      isBelowProperty ||= node.isProperty;
      if (++depth > MAX_PATH_DEPTH) {
        throw new FormatError(
          'USD_LIMIT',
          `Paths are nested more than ${MAX_PATH_DEPTH} levels deep, the limit of anyrig; flatten the hierarchy`,
        );
      }
    } else if (!node.hasSibling) {
      const branch = pending.pop();
      if (branch === undefined) return;
      ({ at, parent, isBelowProperty, depth } = branch);
    }
  }
}

const HAS_CHILD = 1;
const HAS_SIBLING = 2;
const IS_PROPERTY = 4;

/** Reads a node of files before 0.4: path index, token index, flags; the offset of the next sibling if it has children and siblings. */
function readPlainNode(source: ByteReader, at: number, padding: number): PathTreeNode {
  seek(source, at + padding, 'A path');
  const index = readUint32(source);
  const element = readUint32(source);
  const bits = readUint8(source);
  seek(source, at + padding + 12, 'A path');
  const hasChild = (bits & HAS_CHILD) !== 0;
  const hasSibling = (bits & HAS_SIBLING) !== 0;
  const sibling = hasChild && hasSibling ? readInt64(source) : 0;
  return { index, element, isProperty: (bits & IS_PROPERTY) !== 0, hasChild, hasSibling, sibling, next: source.at };
}

/** Memory of a path before its text is known. A file that only claims to have many paths does not reach sizes at which arrays become slow. */
const PATH_BYTES = 32;

export function readPaths(reading: SectionReading, version: CrateVersion, tokens: readonly string[]): string[] {
  const { source, sections, minor, budget } = reading;
  seekSection(source, sections, 'PATHS');
  const start = source.at;
  const total = readUint64(source);
  reserveMemory(budget, PATH_BYTES * total);
  if (minor < VERSION.compressedSections) {
    if (total > source.bytes.length)
      throw crateError(`Found a count of ${total} paths, more than the file can hold`, start);
    const paths = new Array<string>(total).fill('');
    const padding = version.minor === 0 && version.patch <= 1 ? 4 : 0;
    if (total > 0) walkPathTree(reading, tokens, source.at, paths, (at) => readPlainNode(source, at, padding));
    return paths;
  }
  const count = readUint64(source);
  // The total includes the empty path if it is used.
  if (count > total) throw crateError(`The path tree has ${count} paths, more than the total of ${total}`, start);
  const indexes = readCompressedInts(source, count, budget);
  const elements = readCompressedInts(source, count, budget);
  const jumps = readCompressedInts(source, count, budget);
  const paths = new Array<string>(total).fill('');
  if (count === 0) return paths;
  walkPathTree(reading, tokens, 0, paths, (at) => {
    if (at >= count) throw crateError('The path tree leads outside its table', source.at);
    const jump = jumps[at];
    return {
      index: indexes[at] >>> 0,
      element: Math.abs(elements[at]),
      isProperty: elements[at] < 0,
      hasChild: jump > 0 || jump === -1,
      hasSibling: jump >= 0,
      sibling: at + jump,
      next: at + 1,
    };
  });
  return paths;
}
