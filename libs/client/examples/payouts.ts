// eslint-disable-next-line @nx/enforce-module-boundaries -- an example imports what its reader imports
import { RoundhouseClient, RoundhouseError, type Voter } from '@roundhouse/client';
import { payoutTable } from './payout-table.js';

const DIGITS = 8;

const tokens = (arktoshi: bigint): string => {
  const sign = arktoshi < 0n ? '-' : '';
  const digits = arktoshi
    .toString()
    .replace('-', '')
    .padStart(DIGITS + 1, '0');
  return `${sign}${digits.slice(0, -DIGITS)}.${digits.slice(-DIGITS)}`;
};

const [url, name, share = '90'] = process.argv.slice(2);
if (!url || !name || !/^(100|\d{1,2})$/.test(share)) {
  console.error('Usage: payouts URL USERNAME [PERCENT], for example http://localhost:4003 genesis_1 90');
  process.exit(1);
}

try {
  const client = new RoundhouseClient(url);
  const { network } = await client.get('/api/loader/autoconfigure');
  const { delegates } = await client.get('/api/delegates/get', { username: name });
  const { publicKey } = delegates[0]!;
  const { forged } = await client.get('/api/delegates/forging/getForgedByAccount', {
    generatorPublicKey: publicKey,
  });
  const voters: Voter[] = [];
  for await (const voter of client.voters(publicKey)) voters.push(voter);
  const { weight, shared, payouts, remainder } = payoutTable(voters, forged, BigInt(share));
  console.log(
    `${name} has forged ${tokens(forged)} ${network.token}; ${share} % for its voters: ${tokens(shared)}\n`,
  );
  for (const { address, balance, amount } of payouts) {
    console.log(`${address}  ${tokens(balance).padStart(20)}  ${tokens(amount).padStart(20)}`);
  }
  console.log(
    `${'all'.padEnd(34)}  ${tokens(weight).padStart(20)}  ${tokens(shared - remainder).padStart(20)}`,
  );
  console.log(`${'remainder'.padEnd(56)}  ${tokens(remainder).padStart(20)}`);
} catch (error) {
  if (!(error instanceof RoundhouseError)) throw error;
  console.error(error.message);
  process.exit(1);
}
