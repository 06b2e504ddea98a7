/** Text and numbers of SVG. */

/** Resolvers of fonts that know no `system-ui` (resvg) find one of the named ones on Windows, macOS and Linux. */
export const FONT: string =
  "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

/** A length, to a tenth of a pixel. */
export function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** Names come out of files: what XML 1.0 has no place for (section 2.2) becomes the replacement character. */
function escapeXml(text: string): string {
  const legal = text.replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, '\ufffd');
  return legal.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** A line of text; `more` are further attributes. */
export function text(x: number, y: number, size: number, fill: string, content: string, more = ''): string {
  return `<text x="${px(x)}" y="${px(y)}" font-size="${size}" fill="${fill}"${more}>${escapeXml(content)}</text>`;
}

/** The beginning of a text, with an ellipsis where it is longer than `length` characters. */
export function shorten(content: string, length: number): string {
  const letters = [...content.slice(0, 2 * length + 2)];
  return letters.length <= length ? content : `${letters.slice(0, length - 1).join('')}…`;
}

/** A word in pieces of at most `width` letters, cut behind a sign where there is one in the second half of a piece. */
function pieces(word: string, width: number): string[] {
  const out: string[] = [];
  let rest = [...word];
  while (rest.length > width) {
    const sign = rest.slice(0, width).findLastIndex((letter) => /[-_.:/|]/.test(letter));
    const cut = sign >= width / 2 ? sign + 1 : width;
    out.push(rest.slice(0, cut).join(''));
    rest = rest.slice(cut);
  }
  return [...out, rest.join('')];
}

/** Words in lines of at most `width` letters; longer words are cut. */
export function wrap(content: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of content.split(/\s+/).flatMap((one) => pieces(one, width))) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
