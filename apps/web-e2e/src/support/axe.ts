import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** The findings of axe-core, including its best practices. */
export const accessibilityFindings = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source);
  const findings = await page.evaluate<readonly Finding[]>('axe.run().then(({ violations }) => violations)');
  return findings.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
};
