import { DAY_SECONDS, type Block } from '@roundhouse/chain';
import type { DailyFeeEntity } from '@roundhouse/entities/tables';

/** Sums up the fees of the blocks of a batch. */
export class DailyFees {
  private rows = new Map<string, DailyFeeEntity>();

  add({ height, timestamp, transactions }: Block): void {
    const day = Math.floor(timestamp / DAY_SECONDS);
    for (const { typeGroup, type, fee } of transactions) {
      const key = `${day} ${typeGroup} ${type}`;
      const row = this.rows.get(key);
      if (row === undefined) {
        const fees = { minFee: fee, maxFee: fee, sumFee: fee };
        this.rows.set(key, { day, typeGroup, type, firstHeight: height, count: 1, ...fees });
        continue;
      }
      row.count += 1;
      row.sumFee += fee;
      if (fee < row.minFee) row.minFee = fee;
      if (fee > row.maxFee) row.maxFee = fee;
    }
  }

  /** The rows of the blocks since the last call. */
  take(): DailyFeeEntity[] {
    const rows = [...this.rows.values()];
    this.rows.clear();
    return rows;
  }
}
