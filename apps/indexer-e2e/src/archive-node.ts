import { LocalServer } from './local-server.js';

interface RawBlock {
  readonly id: string;
  readonly height: number;
  readonly transactions: readonly object[];
}

const LIMIT = 100;

/** The public API of a Core 3.x node that has the blocks of an archive's lines, as far as an indexer asks it. */
export class ArchiveNode extends LocalServer {
  static start(lines: readonly string[], configuration: object): Promise<ArchiveNode> {
    const node = new ArchiveNode();
    const blocks = lines.map((line) => JSON.parse(line) as RawBlock);
    node.server.on('request', ({ url = '/' }, response) => {
      const data = dataOf(blocks, configuration, new URL(url, node.url));
      response.writeHead(data === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(data === undefined ? { statusCode: 404 } : { data }));
    });
    return node.listen();
  }
}

const headerOf = ({ transactions: _, ...header }: RawBlock): object => header;

const dataOf = (blocks: readonly RawBlock[], configuration: object, url: URL): unknown => {
  const asked = (name: string, otherwise: number): number => Number(url.searchParams.get(name) ?? otherwise);
  const { height, id } = blocks.at(-1)!;
  switch (url.pathname) {
    case '/api/node/status':
      return { synced: true, now: height };
    case '/api/node/syncing':
      return { syncing: false, blocks: 0, height, id };
    case '/api/node/configuration/crypto':
      return configuration;
    case '/api/blocks':
      return blocks
        .slice(asked('height.from', 1) - 1, asked('height.to', LIMIT))
        .slice(0, LIMIT)
        .map(headerOf);
    case '/api/transactions': {
      const ids = url.searchParams.get('blockId')!.split(',');
      const page = asked('page', 1);
      return blocks
        .filter((block) => ids.includes(block.id))
        .flatMap(({ id: blockId, transactions }) =>
          transactions.map((transaction, sequence) => ({ ...transaction, blockId, sequence })),
        )
        .slice((page - 1) * LIMIT, page * LIMIT);
    }
    default: {
      const key = url.pathname.replace('/api/blocks/', '');
      const block = blocks.find((each) => each.id === key || String(each.height) === key);
      return block && headerOf(block);
    }
  }
};
