/** Makes statistics of each day of the stored blocks, of which no ledger has made any. Call it again after more blocks. */
export const SUM_UP_DAYS = `
INSERT INTO daily_statistics (day, first_height, blocks, missed_slots, transactions, volume, fees, rewards, active_addresses, new_accounts, supply)
SELECT ("timestamp" + extract(epoch FROM (configuration #>> '{milestones,0,epoch}')::timestamptz)::integer) / 86400, min(height), count(*), 0,
  coalesce(sum(number_of_transactions), 0), coalesce(sum(total_amount), 0)::bigint, coalesce(sum(total_fee), 0)::bigint,
  sum(reward)::bigint, 0, 0, (SELECT supply FROM head)
FROM blocks, network GROUP BY 1
ON CONFLICT (day) DO UPDATE SET blocks = excluded.blocks, transactions = excluded.transactions, volume = excluded.volume,
  fees = excluded.fees, rewards = excluded.rewards, supply = excluded.supply`;
