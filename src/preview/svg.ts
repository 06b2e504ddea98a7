/** Text and numbers in SVG. */

/** Font family. Renderers without `system-ui` (resvg) find one of the named fonts on Windows, macOS and Linux. */
export const FONT: string =
  "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

export function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** Escapes text from files; characters that XML 1.0 excludes (section 2.2) become the replacement character. */
function escapeXml(text: string): string {
  const legal = text.replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, '\ufffd');
  return legal.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Draws a line of text. `x`: left end, or the anchor, pixels. */
export function text(x: number, y: number, size: number, fill: string, content: string, more = ''): string {
  return `<text x="${px(x)}" y="${px(y)}" font-size="${size}" fill="${fill}"${more}>${escapeXml(content)}</text>`;
}

/** Truncates a text with an ellipsis. */
export function shorten(content: string, length: number): string {
  const letters = [...content.slice(0, 2 * length + 2)];
  return letters.length <= length ? content : `${letters.slice(0, length - 1).join('')}…`;
}

/** Splits a word into pieces of at most `width` letters, after a punctuation mark in the second half of a piece if there is one. */
function pieces(word: string, width: number): string[] {
  const out: string[] = [];
  let rest = [...word];
  while (rest.length > width) {
    const mark = rest.slice(0, width).findLastIndex((letter) => /[-_.:/|]/.test(letter));
    const cut = mark >= width / 2 ? mark + 1 : width;
    out.push(rest.slice(0, cut).join(''));
    rest = rest.slice(cut);
  }
  return [...out, rest.join('')];
}

/** Wraps a text; longer words are split. */
export function wrap(content: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of content.split(/\s+/).flatMap((one) => pieces(one, width))) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
