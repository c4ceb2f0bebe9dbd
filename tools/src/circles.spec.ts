import { posix } from 'node:path';
import ts from 'typescript';
import { filesUnder, read } from './documentation/pages.js';

type Graph = ReadonlyMap<string, readonly string[]>;

/** Imports of files, also those of types alone: lint sees only circles of values. */
const importsOf = (file: string, text: string): string[] =>
  ts
    .preProcessFile(text)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => posix.join(posix.dirname(file), fileName.replace(/\.js$/, '.ts')));

/** The files of one circle, in order; empty if there is none. */
const findCircle = (graph: Graph): string[] => {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): string[] => {
    if (path.includes(file)) return path.slice(path.indexOf(file));
    if (done.has(file)) return [];
    path.push(file);
    for (const imported of graph.get(file) ?? []) {
      const circle = visit(imported);
      if (circle.length > 0) return circle;
    }
    path.pop();
    done.add(file);
    return [];
  };
  for (const file of graph.keys()) {
    const circle = visit(file);
    if (circle.length > 0) return circle;
  }
  return [];
};

const graphOf = (texts: Readonly<Record<string, string>>): Graph =>
  new Map(Object.entries(texts).map(([file, text]) => [file, importsOf(file, text)]));

describe('the imports of files', () => {
  it('form no circle, not even by a type', () => {
    const files = ['apps', 'libs', 'tools'].flatMap((folder) => filesUnder(folder, '.ts'));
    const graph = graphOf(Object.fromEntries(files.map((file) => [file, read(file)])));
    expect([...graph.values()].flat().length).toBeGreaterThan(1_000);
    expect(findCircle(graph)).toEqual([]);
  });

  it.each([
    ["import { b } from './b.js';", "import type { A } from '../x/a.js';", ['x/a.ts', 'x/b.ts']],
    ["export * from './b.js';", "const a = await import('./a.js');", ['x/a.ts', 'x/b.ts']],
    ["import { b } from './b.js';", "import { c } from './c.js';", []],
  ])('are seen: %s and %s', (a, b, circle) => {
    expect(findCircle(graphOf({ 'x/a.ts': a, 'x/b.ts': b, 'x/c.ts': '' }))).toEqual(circle);
  });
});
