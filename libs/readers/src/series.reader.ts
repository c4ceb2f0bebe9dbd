import type { BlockRef } from '@roundhouse/chain';
import { amountsAt, heightOfTime, ranksAt, weightAt } from '@roundhouse/entities/sql';
import { delegateBy, nameValues, type DelegateName } from './delegate-parts.js';
import { found, PAST, Reader, selectAtHead, type Past, type Query } from './at-head.js';

/** The last block of a period. */
interface Point {
  /** Of the period, from 1. */
  readonly place: bigint;
  readonly height: number;
}

/** The values after it, in arktoshi. */
interface BalancePoint extends Point {
  readonly balance: bigint;
  readonly locked: bigint;
}

interface WeightPoint extends Point {
  readonly weight: bigint;
  /** Null without a rank. */
  readonly rank: number | null;
}

/** SQL of the last height of each period; `ends` is a list of the first seconds after them, since the chain's epoch. */
const periods = (ends: string, condition: string): string =>
  `LEFT JOIN LATERAL unnest(${ends}::bigint[]) WITH ORDINALITY AS period (until, place) ON ${condition}
LEFT JOIN LATERAL (SELECT ${heightOfTime('period.until', 'h.height')} - 1 AS height OFFSET 0) p ON true`;

/** $1, $2: the head; $3: the address; $4: the ends. */
const SELECT_BALANCES = selectAtHead(
  'series-balances',
  `${PAST}, a.address IS NOT NULL AS known, period.place, p.height, b.balance, b.locked`,
  `LEFT JOIN accounts a ON a.address = $3
${periods('$4', 'a.address IS NOT NULL')}
LEFT JOIN LATERAL ${amountsAt('a.number', 'p.height')} b ON true`,
  'ORDER BY period.place',
);

/** $1, $2: the head; $3, $4: public key and username, one of them null; $5: the ends. */
const SELECT_WEIGHTS = selectAtHead(
  'series-weights',
  `${PAST}, d.username IS NOT NULL AS known, period.place, p.height, w.weight, array_position(${ranksAt('p.height')}, d.number) AS rank`,
  `${delegateBy('$3', '$4', 'h.height')}
${periods('$5', 'd.username IS NOT NULL')}
LEFT JOIN LATERAL ${weightAt('d.number', 'p.height')} w ON true`,
  'ORDER BY period.place',
);

/** $1, $2: the head; $3: a height up to it. */
const SELECT_TIME = selectAtHead(
  'block-time',
  'b."timestamp"',
  'LEFT JOIN LATERAL (SELECT "timestamp" FROM blocks WHERE height = $3 OFFSET 0) b ON true',
);

/** Values over time. Lists throw `NoHistoryError` if the index keeps no history. */
export class SeriesReader extends Reader {
  /** When the block at `height`, up to the head, was forged, in seconds since the chain's epoch. */
  async findTime(at: BlockRef, height: number): Promise<number> {
    return (await this.row<{ readonly timestamp: number }>(at, SELECT_TIME, height)).timestamp;
  }

  /** A point for each period since the chain knows the account. Undefined if there is no such account. */
  listBalances(at: BlockRef, address: string, ends: readonly number[]) {
    return this.points<BalancePoint>(at, SELECT_BALANCES, 'balance', address, ends);
  }

  /** A point for each period since its registration. Undefined if there is no such delegate. */
  listWeights(at: BlockRef, delegate: DelegateName, ends: readonly number[]) {
    return this.points<WeightPoint>(at, SELECT_WEIGHTS, 'weight', ...nameValues(delegate), ends);
  }

  private async points<P extends Point>(at: BlockRef, query: Query, value: keyof P, ...values: unknown[]) {
    type Row = Past & P & { readonly known: boolean };
    const rows = await this.rows<Row>(at, query, ...values);
    return rows[0].known ? found(rows, value) : undefined;
  }
}
