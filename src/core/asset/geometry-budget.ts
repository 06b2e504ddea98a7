import type { IssueCode } from '../report/codes.ts';
import { FormatError } from '../report/format-error.ts';

/** Maximum number of floats in all meshes of a file: one gigabyte. In a damaged file many parts may reference the same arrays. */
const MAX_NUMBERS = 2 ** 28;

/** The remaining memory for meshes. */
export interface GeometryBudget {
  /** Reserves room for some numbers before they are allocated. @throws FormatError with the code of the budget once it is exhausted. */
  readonly take: (numbers: number) => void;
}

/**
 * Creates a budget for one file.
 *
 * @param code Issue code of the FormatError when the budget is exhausted, such as `FBX_LIMIT`.
 * @returns A new budget of one gigabyte.
 */
export function geometryBudget(code: IssueCode): GeometryBudget {
  let left = MAX_NUMBERS;
  return {
    take(numbers) {
      left -= numbers;
      if (left >= 0) return;
      const message = `The meshes exceed the limit of ${MAX_NUMBERS} numbers. Export fewer meshes, or export without subdivision.`;
      throw new FormatError(code, message);
    },
  };
}
