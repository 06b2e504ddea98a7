/** Reports issues through the logger of a document, as transforms of glTF-Transform do. */
import type { Document } from '@gltf-transform/core';
import type { Issue } from '../../core/report/issue.ts';

/**
 * Reports issues to a listener, or to the logger of the document: errors and warnings as warnings, information as debug messages. `onIssue`: the
 * listener; undefined for the logger.
 */
export function reportIssues(
  document: Document,
  issues: readonly Issue[],
  onIssue: ((issue: Issue) => void) | undefined,
): void {
  const logger = document.getLogger();
  for (const one of issues) {
    if (onIssue !== undefined) onIssue(one);
    else if (one.severity === 'info') logger.debug(`anyrig: ${one.code}: ${one.message}`);
    else logger.warn(`anyrig: ${one.code}: ${one.message}`);
  }
}
