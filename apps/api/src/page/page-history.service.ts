import { Injectable } from '@nestjs/common';
import { ROUNDS_PER_CHART, type DelegateView } from '@roundhouse/web';
import { HistoryAccountsReader, NoHistoryError } from '@roundhouse/readers';
import type { ChainView } from '../chain/chain-view.js';
import { OncePerBasis } from '../chain/once-per-basis.js';
import { HistoryService } from '../history/history.service.js';

/** What the page shows of history. An index without it is no error here. */
@Injectable()
export class PageHistory {
  private readonly kept = new OncePerBasis<boolean>();

  constructor(
    private readonly history: HistoryService,
    private readonly reader: HistoryAccountsReader,
  ) {}

  /** Rejects with `NotReadyError` before the first block. */
  async isKept({ basis, head }: ChainView): Promise<boolean> {
    return this.kept.get(basis, () => this.reader.assertHistory(head).then(() => true, falseWithoutHistory));
  }

  /** A delegate's last rounds, newest first; none without history. */
  async listRounds(chain: ChainView, publicKey: string): Promise<DelegateView['rounds']> {
    if (!(await this.isKept(chain))) return [];
    return (await this.history.listRounds(chain, { delegate: publicKey, limit: ROUNDS_PER_CHART })).rounds;
  }
}

const falseWithoutHistory = (error: unknown): false => {
  if (error instanceof NoHistoryError) return false;
  throw error;
};
