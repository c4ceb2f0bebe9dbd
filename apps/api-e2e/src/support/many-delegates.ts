/** SQL: $1 more delegates, resigned ones if $2: half of them without votes, every fiftieth resigned. */
export const INSERT_DELEGATES = `
INSERT INTO delegates (weight, forged_fees, forged_rewards, produced_blocks, missed_blocks, registered_height,
  registered_sequence, is_resigned, number, public_key, address, username)
SELECT CASE WHEN i % 2 = 0 THEN 1000000 + i ELSE 0 END, i, i, i % 7, i % 3, 1, 100 + i, $2 OR i % 50 = 0,
  (SELECT max(number) FROM delegates) + i,
  decode('03' || lpad(to_hex(i), 64, '0'), 'hex'), 'M' || lpad(i::text, 33, '0'), 'many_' || (100000 + i)
FROM generate_series(1, $1::integer) i`;
