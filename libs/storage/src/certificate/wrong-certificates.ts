import {
  bytesOfHash,
  hashesIn,
  leafHash,
  merkleRoot,
  PAGE_LEAVES,
  type Certificate,
} from '@roundhouse/chain';
import { blockIdText, queryRows } from '@roundhouse/entities/sql';
import type { ClientBase } from 'pg';

interface Stored {
  readonly height: number;
  readonly document: string;
}

interface Page {
  readonly root: Buffer;
  readonly leaves: readonly string[];
}

const SELECT_CERTIFICATES = `SELECT height, document FROM roundhouse.certificates ORDER BY height`;

const SELECT_BLOCK = `SELECT ${blockIdText('id')} AS id FROM roundhouse.blocks WHERE height = $1`;

/** One at a time: all leaves together may not fit into memory. */
const SELECT_PAGE = `SELECT root, leaves FROM roundhouse.certificate_pages WHERE height = $1 AND page = $2`;

const isWholePage = ({ root, leaves }: Page): boolean =>
  bytesOfHash(merkleRoot(leaves.map(leafHash))).equals(root);

const problemOf = async (
  client: ClientBase,
  { height, document }: Stored,
  blocks: ClientBase,
): Promise<string | null> => {
  const certificate = JSON.parse(document) as Pick<Certificate, 'blockId' | 'accounts' | 'root'>;
  const [block] = await queryRows<{ id: string }>(blocks, SELECT_BLOCK, [height]);
  if (certificate.blockId !== block?.id) return `the certificate is of block ${certificate.blockId}`;
  const roots: string[] = [];
  for (let page = 0; page * PAGE_LEAVES < certificate.accounts; page += 1) {
    const [stored] = await queryRows<Page & object>(client, SELECT_PAGE, [height, page]);
    if (!stored || !isWholePage(stored)) return `page ${page} of the certificate's leaves is damaged`;
    roots.push(...hashesIn(stored.root));
  }
  return bytesOfHash(merkleRoot(roots)).toString('hex') === certificate.root
    ? null
    : 'the leaves do not give the root of the certificate';
};

/**
 * The heights of certificates that do not fit their block or their leaves; each problem goes on after the height. A restore
 * reads `blocks` by another connection, which holds that table.
 */
export const listWrongCertificates = async (
  client: ClientBase,
  blocks = client,
): Promise<{ readonly height: number; readonly problem: string }[]> => {
  const wrong: { height: number; problem: string }[] = [];
  for (const stored of await queryRows<Stored & object>(client, SELECT_CERTIFICATES)) {
    const problem = await problemOf(client, stored, blocks);
    if (problem !== null) wrong.push({ height: stored.height, problem });
  }
  return wrong;
};
