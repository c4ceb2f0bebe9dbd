import { certificateText } from '@roundhouse/chain';
import { queryRows } from '@roundhouse/entities/sql';
import type { ClientBase } from 'pg';
import { readUndoReach } from '../writer/undo-reach.js';
import { leavesAt, type Leaves } from './accounts-at.js';
import { readFacts, type BlockClients } from './make-certificate.js';
import { pagesOver, treeOf, type PageTotals } from './tree-sql.js';

interface Stored {
  readonly height: number;
  /** Null if there are only leaves. */
  readonly document: string | null;
}

const SELECT_CERTIFICATES = `
SELECT height, document FROM certificates FULL JOIN (SELECT DISTINCT height FROM certificate_pages) leaves USING (height)
ORDER BY height`;

const STORED_LEAVES = `
SELECT row_number() OVER (ORDER BY page, nth) - 1 AS place, leaf
FROM certificate_pages CROSS JOIN unnest(leaves) WITH ORDINALITY AS listed (leaf, nth) WHERE height = $1`;

/** `wrong` is the first page that is stored otherwise; null if there is none. */
const comparePages = (leaves: string): string => `
SELECT coalesce(sum(cardinality(made.leaves)), 0)::integer AS accounts, coalesce(string_agg(made.root, '' ORDER BY page), '') AS roots,
  min(page) FILTER (
    WHERE ROW(made.first_address, made.root, made.leaves) IS DISTINCT FROM ROW(stored.first_address, stored.root, stored.leaves)
      OR array_position(stored.leaves, NULL) IS NOT NULL
  ) AS wrong
FROM ${pagesOver(leaves)} AS made FULL JOIN (SELECT * FROM certificate_pages WHERE height = $1) AS stored USING (page)`;

const problemOf = async (
  client: ClientBase,
  { height, document }: Stored,
  stored?: BlockClients,
): Promise<string | null> => {
  if (document === null) return 'there are leaves, but no certificate';
  const facts = await readFacts(client, height, stored);
  if (facts === null) return 'there is a certificate, but no block';
  // The tables may no longer say what the accounts were, and a restore holds their history: then the leaves prove only the root.
  const reach = await readUndoReach(client);
  const areKnown = reach !== null && (height >= reach.lowest || (reach.hasHistory && stored === undefined));
  const listed: Leaves = { select: STORED_LEAVES, values: [height] };
  const { select, values } = areKnown ? await leavesAt(client, height) : listed;
  type Compared = PageTotals & { readonly wrong: number | null };
  const [compared] = await queryRows<Compared & object>(client, comparePages(select), values);
  const { wrong, ...pages } = compared!;
  if (wrong !== null) return `page ${wrong} of the certificate's leaves is damaged`;
  return document === certificateText({ ...facts, ...treeOf(pages), height })
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
