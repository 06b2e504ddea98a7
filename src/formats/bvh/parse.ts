import type { Issue } from '../../core/report/issue.ts';
import { type Cursor, skipSpace, syntaxError, takeKeyword } from './cursor.ts';
import { parseHierarchy } from './hierarchy.ts';
import { parseMotion } from './motion.ts';
import type { BvhTree } from './tree.ts';

const BYTE_ORDER_MARK = 0xfeff;

/**
 * Reads a BVH text (Biovision Hierarchy) into the tree that it is, without converting anything. Any channel order and
 * number up to six a joint, several roots, any white space and line ends, keywords in any case. Oddities that can be
 * lived with become issues (`BVH_MOTION`).
 *
 * The format has no standard; this follows the description of Biovision as it is passed on, and the files that tools write.
 *
 * @throws FormatError `BVH_SYNTAX` with line and column, where the text is not a BVH.
 */
export function parseBvh(text: string): BvhTree {
  if (typeof text !== 'string') throw new TypeError('parseBvh wants the text of the file as a string.');
  const cursor: Cursor = { text, at: text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0 };
  skipSpace(cursor);
  const at = cursor.at;
  if (takeKeyword(cursor) !== 'HIERARCHY') throw syntaxError(cursor, at, 'HIERARCHY');
  const { joints, channelCount, hasMotion } = parseHierarchy(cursor);
  const issues: Issue[] = [];
  const motion = hasMotion ? parseMotion(cursor, channelCount, issues) : null;
  return { joints, channelCount, motion, issues };
}
