/** Aligns rows of cells as lines. The last cell of a row is not padded. */
export function columns(rows: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  const widths: number[] = [];
  for (const row of rows) for (const [k, cell] of row.entries()) widths[k] = Math.max(widths[k] ?? 0, cell.length);
  return rows.map((row) => {
    const cells = row.map((cell, k) => {
      if (right.includes(k)) return cell.padStart(widths[k]);
      return k === row.length - 1 ? cell : cell.padEnd(widths[k]);
    });
    return cells.join('  ').trimEnd();
  });
}
