import { certificateText } from '@roundhouse/chain';
import { queryRows } from '@roundhouse/entities/sql';
import type { ClientBase } from 'pg';
import { readUndoReach } from '../writer/undo-reach.js';
import { listLeavesAt } from './accounts-at.js';
import { readFacts, treeOf, type BlockClients } from './make-certificate.js';

interface Stored {
  readonly height: number;
  /** Null if there are only leaves. */
  readonly document: string | null;
  readonly pages: number;
}

const SELECT_CERTIFICATES = `
SELECT height, document, coalesce(pages, 0) AS pages FROM certificates FULL JOIN (
  SELECT height, count(*)::integer AS pages FROM certificate_pages GROUP BY height
) leaves USING (height) ORDER BY height`;

/** One at a time: all leaves together may not fit into memory. */
const SELECT_LEAVES = `SELECT leaves FROM certificate_pages WHERE height = $1 AND page = $2`;

const SELECT_IS_RIGHT = `
SELECT root = $3 AND leaves = $4::text[] AND array_position(leaves, NULL) IS NULL
  AND first_address = split_part(leaves[1], E'\\t', 1) AS "isRight"
FROM certificate_pages WHERE height = $1 AND page = $2`;

async function* storedLeaves(client: ClientBase, height: number): AsyncGenerator<string[], void> {
  for (let page = 0; ; page += 1) {
    const [stored] = await queryRows<{ leaves: string[] }>(client, SELECT_LEAVES, [height, page]);
    if (stored === undefined) return;
    yield stored.leaves;
  }
}

/** Whether the tables still say what the accounts were. While a restore holds `stored`, history cannot be read. */
const areKnown = async (client: ClientBase, height: number, stored?: BlockClients): Promise<boolean> => {
  const reach = await readUndoReach(client);
  return reach !== null && (height >= reach.lowest || (reach.hasHistory && stored === undefined));
};

const problemOf = async (
  client: ClientBase,
  { height, document, pages }: Stored,
  stored?: BlockClients,
): Promise<string | null> => {
  if (document === null) return 'there are leaves, but no certificate';
  const facts = await readFacts(client, height, stored);
  if (facts === null) return 'there is a certificate, but no block';
  const list = (await areKnown(client, height, stored)) ? listLeavesAt : storedLeaves;
  const wrong: number[] = [];
  let listed = 0;
  const tree = await treeOf(list(client, height), async (leaves, page, root) => {
    const values = [height, page, root, leaves];
    const [found] = await queryRows<{ isRight: boolean | null }>(client, SELECT_IS_RIGHT, values);
    if (found?.isRight !== true) wrong.push(page);
    listed += 1;
  });
  if (listed !== pages) wrong.push(Math.min(listed, pages));
  if (wrong.length > 0) return `page ${wrong[0]} of the certificate's leaves is damaged`;
  return document === certificateText({ ...facts, ...tree, height })
    ? null
    : 'the certificate is not what its block and its leaves give';
};

/**
 * The heights of certificates that are not what the tables give now; each problem goes on after the height. Leaves that can
 * no longer be listed are only compared with their root. A restore reads `stored` by other connections, which hold those tables.
 */
export const listWrongCertificates = async (
  client: ClientBase,
  stored?: BlockClients,
): Promise<{ readonly height: number; readonly problem: string }[]> => {
  const wrong: { height: number; problem: string }[] = [];
  for (const certificate of await queryRows<Stored & object>(client, SELECT_CERTIFICATES)) {
    const problem = await problemOf(client, certificate, stored);
    if (problem !== null) wrong.push({ height: certificate.height, problem });
  }
  return wrong;
};
