import { type Issue, issue } from '../../core/report/issue.ts';
import { locationOf } from '../../core/text/location-of.ts';
import { type Cursor, skipSpace, syntaxError, takeKeyword } from './bvh-cursor.ts';
import type { BvhTree } from './bvh-tree.ts';
import { parseHierarchy } from './parse-hierarchy.ts';
import { parseMotion } from './parse-motion.ts';

const BYTE_ORDER_MARK = 0xfeff;

/**
 * Parses BVH text (Biovision Hierarchy) to a tree, without conversions. It accepts any channel order, up to six channels per joint, several
 * roots, any white space and line ends, and keywords in upper or lower case. Usable but unusual parts become issues (`BVH_MOTION`,
 * `BVH_TEXT`): comments, decimal commas, numbers without white space between them.
 *
 * The format has no standard. This parser follows the published Biovision description and the files of common tools.
 *
 * @param text Text of the file.
 * @returns Hierarchy and motion.
 * @throws FormatError `BVH_SYNTAX` with line and column if the text is not a BVH
 * @example
 * const { joints, motion } = parseBvh(await readFile('walk.bvh', 'utf8'));
 */
export function parseBvh(text: string): BvhTree {
  if (typeof text !== 'string')
    throw new TypeError('parseBvh: text is not a string. Decode the bytes of the file first.');
  const issues: Issue[] = [];
  const cursor: Cursor = { text: withoutCommas(text, issues), at: text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0 };
  skipSpace(cursor);
  const at = cursor.at;
  if (takeKeyword(cursor) !== 'HIERARCHY') throw syntaxError(cursor, at, 'HIERARCHY');
  const { joints, channelCount, hasMotion } = parseHierarchy(cursor);
  const motion = hasMotion ? parseMotion(cursor, channelCount, issues) : null;
  const { commentAt, joinedAt } = cursor;
  if (commentAt !== undefined) issues.push(textIssue(text, commentAt, COMMENTS));
  if (joinedAt !== undefined) issues.push(textIssue(text, joinedAt, JOINED));
  return { joints, channelCount, motion, issues };
}

const COMMENTS = 'The text has comments, which the format does not have; they were skipped.';
const JOINED = 'Numbers follow each other without white space; a sign was read as the start of the next number.';
const DECIMAL_COMMAS = 'Numbers have decimal commas; they were read as decimal points.';
const SEPARATING_COMMAS = 'Numbers are separated by commas; they were read as white space.';

function textIssue(text: string, at: number, message: string): Issue {
  return issue('BVH_TEXT', `${message} Remove them for other programs.`, locationOf(text, at));
}

/** The first comma after a digit in a line of numbers. */
const COMMA_IN_NUMBERS = /^[ \t]*(?:OFFSET\b|Frame[ \t_-]*Time\b|[-+.\d])[^\r\n,]*\d(,)/im;
/** A point between digits in such a line. */
const POINT_IN_NUMBERS = /^[ \t]*(?:OFFSET\b|Frame[ \t_-]*Time\b|[-+.\d])[^\r\n]*\d\.\d/im;

/** Replaces commas in numbers: by points if no number has a point, and a digit follows at once; else by blanks. Offsets stay the same. */
function withoutCommas(text: string, issues: Issue[]): string {
  if (!text.includes(',')) return text;
  const found = COMMA_IN_NUMBERS.exec(text);
  if (found === null) return text;
  const at = found.index + found[0].length - 1;
  const isDecimal = /\d/.test(text[at + 1] ?? '') && !POINT_IN_NUMBERS.test(text);
  issues.push(textIssue(text, at, isDecimal ? DECIMAL_COMMAS : SEPARATING_COMMAS));
  return isDecimal ? text.replace(/(\d),(?=\d)/g, '$1.') : text.replace(/([\d.]),(?=\s|[-+.\d])/g, '$1 ');
}
