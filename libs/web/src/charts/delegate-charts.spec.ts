import { describe, expect, it } from '@jest/globals';
import type { DelegateRound } from '@roundhouse/client';
import { aDelegateRound, aStatus } from '../status/status.harness.js';
import { delegateCharts } from './delegate-charts.js';

const { network } = aStatus();

const TOKEN = 100_000_000n;

/** Newest first, as the API lists them; 4 delegates forge. */
const rounds = (...each: readonly (readonly [bigint, number | null])[]): DelegateRound[] =>
  each.map(([weight, rank], index) => aDelegateRound(9 - index, weight, rank));

const chartsOf = (...each: readonly (readonly [bigint, number | null])[]): string =>
  delegateCharts(rounds(...each), [], network)?.text ?? '';

const descriptions = (markup: string): (string | undefined)[] =>
  [...markup.matchAll(/<desc [^>]*>(.*?)<\/desc>/g)].map(([, text]) => text);

const drawn = (markup: string): string[] => markup.match(/<(polyline|circle) /g) ?? [];

describe('the charts of a delegate', () => {
  it('say the first and the last value, oldest first, to readers and to screen readers', () => {
    const markup = chartsOf([8n * TOKEN, 3], [7n * TOKEN, null], [5n * TOKEN, 6]);
    expect(descriptions(markup)).toEqual([
      'From 5 TѦ after round 7 to 8 TѦ after round 9: 3 TѦ more.',
      'From rank 6 after round 7 to rank 3 after round 9; the first 4 forge.',
    ]);
    for (const id of ['weights', 'ranks']) {
      expect(markup).toContain(`<svg role="img" aria-labelledby="${id}-title ${id}-description"`);
      expect(markup).toContain(`<title id="${id}-title">`);
    }
    expect(markup.indexOf('>round 7<')).toBeLessThan(markup.indexOf('>round 9<'));
  });

  it('draw a dot for one round, and a flat line for equal values', () => {
    expect(descriptions(chartsOf([TOKEN, 1]))).toEqual([
      'After round 9: 1 TѦ.',
      'After round 9: rank 1; the first 4 forge.',
    ]);
    expect(drawn(chartsOf([TOKEN, 1]))).toEqual(['<circle ', '<circle ']);
    const flat = chartsOf([TOKEN, 2], [TOKEN, 2]);
    const heights = [...flat.matchAll(/points="[\d.]+,([\d.]+) [\d.]+,([\d.]+)"/g)];
    expect(heights).toHaveLength(2);
    for (const [, first, last] of heights) expect(first).toBe(last);
  });

  it('leave a gap without a rank, and show no ranks if there are none', () => {
    expect(drawn(chartsOf([4n, 1], [3n, null], [2n, 2], [1n, 2]))).toEqual([
      '<polyline ',
      '<polyline ',
      '<circle ',
    ]);
    const resigned = chartsOf([4n, null], [3n, null]);
    expect(resigned).toContain('id="weights-title"');
    expect(resigned).not.toContain('id="ranks-title"');
  });

  it('name the smallest and the largest weight, or their difference if both look the same', () => {
    const labels = (markup: string): (string | undefined)[] =>
      [...markup.matchAll(/text-anchor="end">([^<]*)<\/text>/g)].map(([, text]) => text).slice(0, 2);
    expect(labels(chartsOf([9n * TOKEN, 1], [2n * TOKEN, 1]))).toEqual(['2', '9']);
    const many = 130_920_000n * TOKEN;
    expect(labels(chartsOf([many, 1], [many + 5n * TOKEN, 1]))).toEqual(['130.92 M', '+ 5']);
  });

  it('have all digits of weights beyond 2^53 in their table', () => {
    expect(chartsOf([9_007_199_254_740_993n, 1])).toContain('>90,071,992.54740993<');
  });

  it('escape the text of the network', () => {
    const hostile = { ...network, symbol: '<b>', token: '"><i>' };
    const { text } = delegateCharts(rounds([1n, 1]), [], hostile)!;
    expect(text).not.toMatch(/<[bi]>/);
    expect(text).toContain('&lt;b&gt;');
  });
});
