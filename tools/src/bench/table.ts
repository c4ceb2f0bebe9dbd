/** Prints rows under a title. The first column is aligned left, the others right. */
export const printTable = (title: string, rows: readonly (readonly string[])[]): void => {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, cell.length)));
  console.log(`\n${title}`);
  for (const row of rows) {
    const cells = row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)));
    console.log(`  ${cells.join('  ')}`.trimEnd());
  }
};

export const thousands = (value: number): string => Math.round(value).toLocaleString('en-US');
