import { describe, expect, it } from '@jest/globals';
import { html } from './html.js';

describe('html', () => {
  it('escapes text, in elements and in quoted attributes', () => {
    const name = `<img src=x onerror="alert('1')">&`;
    expect(html`<a title="${name}">${name}</a>`.text).toBe(
      '<a title="&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;">' +
        '&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;</a>',
    );
  });

  it('keeps its own markup unchanged, alone and in lists', () => {
    const names = ['a', '<b>'].map((name) => html`<b>${name}</b>`);
    expect(html`<i>${names}</i>`.text).toBe('<i><b>a</b><b>&lt;b&gt;</b></i>');
  });

  it('removes the indentation of the template, and nothing from the values', () => {
    expect(
      html`<ul>
        <li>${'b\n    c'}</li>
      </ul>`.text,
    ).toBe('<ul> <li>b\n    c</li> </ul>');
  });

  it('writes nothing for null, undefined and booleans, and zero as zero', () => {
    expect(html`[${null}${undefined}${false}${true}${0}${0n}${''}]`.text).toBe('[00]');
  });

  it('refuses an object that only looks like markup', () => {
    const forged = JSON.parse('{"text":"<script>"}') as never;
    expect(() => html`${forged}`.text).toThrow();
  });
});
