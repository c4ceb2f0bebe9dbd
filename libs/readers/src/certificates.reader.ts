import type { BlockRef } from '@roundhouse/chain';
import { LASTING_HEIGHT } from '@roundhouse/entities/sql';
import { Reader, selectAtHead, type Past } from './at-head.js';

/** What a proof is made from. */
interface CertifiedPage extends Past {
  /** The certificate as its file has it; null if this index has not made it. */
  readonly document: string | null;
  /** The place, among the pages of the tree, of the page that has the address or would have it; null if it is before all. */
  readonly page: number | null;
  readonly leaves: readonly string[] | null;
  /** The roots of all pages, 32 bytes each. */
  readonly roots: Buffer | null;
  /** Of the newest certificates. */
  readonly heights: readonly number[];
}

const MOST_HEIGHTS = 5;

/** $1, $2: the head; $3: the height; $4: the address. */
const SELECT_PAGE = selectAtHead(
  'certified-page',
  `(SELECT ${LASTING_HEIGHT} FROM head) AS "lowestHead", c.document, p.page, p.leaves,
  (SELECT string_agg(root, '' ORDER BY page) FROM certificate_pages WHERE height = c.height) AS roots,
  ARRAY(SELECT height FROM certificates ORDER BY height DESC LIMIT ${MOST_HEIGHTS}) AS heights`,
  `LEFT JOIN certificates c ON c.height = $3
LEFT JOIN LATERAL (
  SELECT page, leaves FROM certificate_pages WHERE height = c.height AND first_address <= $4 ORDER BY page DESC LIMIT 1
) p ON true`,
);

export class CertificatesReader extends Reader {
  findPage(at: BlockRef, height: number, address: string): Promise<CertifiedPage> {
    return this.row<CertifiedPage>(at, SELECT_PAGE, height, address);
  }
}
