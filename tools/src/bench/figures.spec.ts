import { withFigures, type Results } from './figures.js';

const PAGE =
  ['figures', 'archive', 'statements']
    .map((name) => `Before.\n<!-- ${name} -->\nLast year: 7.\n<!-- end of ${name} -->\n`)
    .join('') + 'After.\n';

const rowOf = (results: Results, name: string): string =>
  withFigures(PAGE, results)
    .split('\n')
    .find((line) => line.includes(`\`${name}\``))!;

describe('the table of figures', () => {
  it('takes the place between the marks, and leaves the rest', () => {
    const page = withFigures(PAGE, {});
    expect(page).toMatch(
      /^Before\.\n<!-- figures -->\n\n\| figure .*\n\n<!-- end of figures -->\nBefore\..*\nAfter\.\n$/s,
    );
    expect(page).not.toContain('Last year');
    expect(withFigures(page, {})).toBe(page);
  });

  it('is refused by a page without the marks', () => {
    expect(() => withFigures('Before.\n', {})).toThrow('has no <!-- figures -->');
  });

  it('shows what each command and each statement took', () => {
    const commands = { certificate: { seconds: 4.5, cpuSeconds: 3, rssMiB: 200, mebibytes: 0.1 } };
    const statements = { 'a block': { ms: 0.1, by: 'ix_sql_blocks__id' } };
    const archive = { blocks: 5_000, commands, proofMs: 1 };
    const page = withFigures(PAGE, { archive, statements: { blocks: 5_000, gigabytes: 1, statements } });
    expect(page.match(/At 5,000 blocks:\n\n(\| |```text\n)/g)).toHaveLength(2);
    expect(page).toContain('| certificate | 4.5 | 3 | 200 | 0.1 |');
    expect(page).toMatch(/^a block +0\.1 {2}ix_sql_blocks__id$/m);
  });

  it('says which aims are missed', () => {
    const index = { ratioToCopy: 0.335, flatness: 0.9, rssMiB: 401, startMs: 3000 };
    expect(rowOf({ index }, 'index.ratioToCopy')).toMatch(/\| 0\.335 \| ≥ 0\.5, \*\*missed\*\* \|$/);
    expect(rowOf({ index }, 'index.flatness')).toMatch(/\| 0\.9 \| ≥ 0\.9 \|$/);
    expect(rowOf({ index }, 'index.rssMiB')).toMatch(/\| 401 \| ≤ 400, \*\*missed\*\* \|$/);
    expect(rowOf({ index }, 'index.startMs')).toMatch(/\| 3000 \| ≤ 3000 \|$/);
  });

  it('shows the worst route, and a dash for what was not measured', () => {
    const api = {
      hot: { a: { ratio: 0.9 }, b: { ratio: 1.1 } },
      cold: { a: { ratio: 2 } },
      growth: { a: 0.7, b: 1.3 },
      offsetRatio: 1,
      crowd: {},
      rssMiB: 1,
      startMs: 1,
    };
    expect(rowOf({ api }, 'api.hot')).toMatch(/\| 0\.9 \| ≥ 0\.8 \|$/);
    expect(rowOf({ api }, 'api.growth')).toMatch(/\| 1\.3 \| ≤ 1\.2, \*\*missed\*\* \|$/);
    expect(rowOf({ api }, 'scale.gigabytes')).toMatch(/\| – \| \|$/);
  });
});
