/** Telling what was odd through the logger of a document, as transforms of glTF-Transform do. */
import type { Document } from '@gltf-transform/core';
import type { Issue } from '../../core/report/issue.ts';

/** Hands issues to a listener, or to the document's logger: errors and warnings as warnings, the rest for debugging. */
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
