import type { IssueCode } from '../report/codes.ts';
import { FormatError } from '../report/format-error.ts';

/** Numbers that all meshes of a file may come to: a gigabyte. Parts of a damaged file may all use the same arrays. */
const MOST_NUMBERS = 2 ** 28;

/** What of the memory for meshes is left. */
export interface GeometryBudget {
  /** Takes room for some numbers, before they are made. @throws FormatError with the code of the budget once there is none. */
  readonly take: (numbers: number) => void;
}

/** A budget for one file; `code` says of which format its end tells. */
export function geometryBudget(code: IssueCode): GeometryBudget {
  let left = MOST_NUMBERS;
  return {
    take(numbers) {
      left -= numbers;
      if (left >= 0) return;
      const message = `The meshes come to more than ${MOST_NUMBERS} numbers. Export fewer of them, or without subdivision.`;
      throw new FormatError(code, message);
    },
  };
}
