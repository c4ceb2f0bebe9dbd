import { CoreApiStandIn, recordedNodeFork, TraceCollector, type CollectedSpan } from '@roundhouse/testing';
import { IndexUnderTest } from './index-under-test.js';
import { recording } from './recording.js';

const { NETWORK } = recording('core-2.4');

describe('traces of the indexer', () => {
  let collector: TraceCollector;
  let node: CoreApiStandIn;
  let index: IndexUnderTest;

  beforeAll(async () => {
    collector = await TraceCollector.start();
    node = await CoreApiStandIn.start('core-2.4');
    const main = node.chain;
    const fork = recordedNodeFork(main);
    index = await IndexUnderTest.create('postgres', { NETWORK, BLOCK_SOURCE: node.url });
    const run = index.run(collector.environment);
    await index.reach(main.length, run);
    node.chain = fork;
    await index.reach(fork.length, run);
    // The last spans are sent when it stops.
    expect(await run.kill('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
  });

  afterAll(async () => {
    await index.close();
    await node.close();
    await collector.close();
  });

  const childrenOf = (name: string, fits: (span: CollectedSpan) => boolean = () => true): string[] => {
    const parents = collector.spans.filter((span) => span.name === name && fits(span));
    expect(parents).not.toHaveLength(0);
    return parents.flatMap((parent) => collector.childrenOf(parent)).map((span) => span.name);
  };

  it('show a poll: what is asked of the node, and what is written', () => {
    expect(childrenOf('process follow poll')).toEqual(
      expect.arrayContaining(['GET', 'INSERT source_status']),
    );
  });

  it('show the fetch of a range: its requests to the node, and how it is staged', () => {
    const isFirst = ({ attributes }: CollectedSpan): boolean => attributes['roundhouse.from'] === 1;
    expect(childrenOf('process fetch fetch', isFirst)).toEqual(
      expect.arrayContaining(['POST', 'INSERT staged_ranges']),
    );
    // Core 2.4 refuses the first, which asks for the raw form that later nodes have.
    const request = collector.spans.find(
      ({ name, attributes }) => name === 'POST' && attributes['http.response.status_code'] !== 400,
    )!;
    expect(request).toMatchObject({
      kind: 3,
      service: 'roundhouse-indexer',
      attributes: { 'http.response.status_code': 200, 'url.full': expect.stringContaining(node.url) },
    });
  });

  it('show the phases of a batch, and the statements that store it', () => {
    expect(childrenOf('apply')).toEqual(
      expect.arrayContaining([
        'apply batch',
        'COPY public_keys, addresses, blocks, transactions',
        'COMMIT',
        'UPDATE head',
      ]),
    );
    expect(new Set(childrenOf('apply batch'))).toEqual(
      new Set(['load working set', 'apply blocks', 'commit']),
    );
    const blocks = collector.spans
      .filter(({ name }) => name === 'apply batch')
      .reduce((sum, { attributes }) => sum + Number(attributes['roundhouse.blocks']), 0);
    // 322 blocks of one branch, and the blocks of the other branch above the common block 300.
    expect(blocks).toBe(322 + 30);
  });

  it('show what a fork undoes', () => {
    expect(childrenOf('undo')).toEqual(expect.arrayContaining(['BEGIN', 'DELETE transactions', 'COMMIT']));
    const undone = collector.spans.find(({ name }) => name === 'undo')!;
    expect(undone.attributes).toMatchObject({ 'roundhouse.from': 322, 'roundhouse.to': 300 });
  });

  it('add no header to the requests to the node', () => {
    expect(node.requestHeaders).not.toHaveLength(0);
    for (const headers of node.requestHeaders) {
      expect(headers).not.toHaveProperty('traceparent');
      expect(headers).not.toHaveProperty('tracestate');
    }
  });
});
