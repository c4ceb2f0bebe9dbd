import type { BlockRef, StatementEnds, StatementRow } from '@roundhouse/chain';
import { heightOfTime, SELECT_STATEMENT, SELECT_STATEMENT_ENDS } from '@roundhouse/entities/sql';
import { named, Reader, selectAtHead, type ReaderPool } from './at-head.js';
import type { RowStreams } from './row-streams.js';

const ENDS = named('statement-ends', SELECT_STATEMENT_ENDS);
const ENTRIES = named('statement', SELECT_STATEMENT);
/** $1, $2: the head; $3: seconds since the chain's epoch. */
const HEIGHT_OF_TIME = selectAtHead('height-of-time', `${heightOfTime('$3::bigint', '$1')} AS height`);

/** Amounts in arktoshi, as decimal text. */
interface Ends {
  /** Null if there is no such account. */
  readonly opening: string | null;
  readonly closing: string;
  readonly entries: number;
  readonly lowestHead: number;
}

type Range = Pick<StatementEnds, 'from' | 'to'>;

/**
 * What changed the balance of an account. All changes since `from` are added up, which may take long for a busy account, so
 * both statements run where long lists do.
 */
export class StatementsReader extends Reader {
  constructor(
    pool: ReaderPool,
    private readonly streams: RowStreams,
  ) {
    super(pool);
  }

  /** The lowest height whose block is not older than `time`, in seconds since the chain's epoch; above the head if all are. */
  async findHeight(at: BlockRef, time: number): Promise<number> {
    return (await this.row<{ readonly height: number }>(at, HEIGHT_OF_TIME, time)).height;
  }

  /** The balances at both ends. Null if there is no such account. */
  async findEnds(at: BlockRef, address: string, { from, to }: Range) {
    let ends: Ends | undefined;
    // To stop early would close the connection.
    for await (const rows of this.streams.readValues<Ends>(at, ENDS, [address, from, to])) ends ??= rows[0];
    if (!ends) throw new TypeError('The ends of a statement are one row.');
    const { opening, closing } = ends;
    return opening === null ? null : { ...ends, opening: BigInt(opening), closing: BigInt(closing) };
  }

  /** The changes, in order. At least one must be there. */
  listEntries(at: BlockRef, address: string, { from, to }: Range, opening: bigint) {
    return this.streams.readValues<StatementRow>(at, ENTRIES, [address, from, to, String(opening)]);
  }
}
