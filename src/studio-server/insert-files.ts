import type { OpenedUserFile } from './user-files.ts';

/** The comment that the built page has in its head. */
const PLACEHOLDER = '<!-- anyrig-files -->';

/** The JSON of a script element must not contain `</script` or `<!--`: no `<` at all. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(/</g, '\\u003c');
}

/**
 * Inserts the list of files into the page, as JSON in the element `#anyrig-files`.
 *
 * @throws Error when the page has no such comment.
 */
export function insertFiles(html: string, files: readonly OpenedUserFile[]): string {
  const [before, after] = html.split(PLACEHOLDER);
  if (after === undefined) throw new Error(`The page has no ${PLACEHOLDER}. Build it again with npm run build.`);
  return `${before}<script type="application/json" id="anyrig-files">${scriptJson(files)}</script>${after}`;
}
