import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What axe-core finds fault with, its best practices included. */
export const accessibilityFindings = async (page: Page): Promise<string[]> => {
  await page.evaluate(source);
  const findings = await page.evaluate<readonly Finding[]>('axe.run().then(({ violations }) => violations)');
  return findings.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
};
