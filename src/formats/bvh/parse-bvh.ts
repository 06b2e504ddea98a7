/** Parses BVH text to a tree. */
import type { Issue } from '../../core/report/issue.ts';
import { type Cursor, skipSpace, syntaxError, takeKeyword } from './bvh-cursor.ts';
import type { BvhTree } from './bvh-tree.ts';
import { parseHierarchy } from './parse-hierarchy.ts';
import { parseMotion } from './parse-motion.ts';

const BYTE_ORDER_MARK = 0xfeff;

/**
 * Parses BVH text (Biovision Hierarchy) to a tree, without conversions. It accepts any channel order, up to six channels per joint, several
 * roots, any white space and line ends, and keywords in upper or lower case. Usable but unusual parts become issues (`BVH_MOTION`).
 *
 * The format has no standard. This parser follows the published Biovision description and the files of common tools.
 * @param text text of the file
 * @returns hierarchy and motion
 * @throws FormatError `BVH_SYNTAX` with line and column if the text is not a BVH
 * @example
 * const { joints, motion } = parseBvh(await readFile('walk.bvh', 'utf8'));
 */
export function parseBvh(text: string): BvhTree {
  if (typeof text !== 'string')
    throw new TypeError('parseBvh: text is not a string. Decode the bytes of the file first.');
  const cursor: Cursor = { text, at: text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0 };
  skipSpace(cursor);
  const at = cursor.at;
  if (takeKeyword(cursor) !== 'HIERARCHY') throw syntaxError(cursor, at, 'HIERARCHY');
  const { joints, channelCount, hasMotion } = parseHierarchy(cursor);
  const issues: Issue[] = [];
  const motion = hasMotion ? parseMotion(cursor, channelCount, issues) : null;
  return { joints, channelCount, motion, issues };
}
