// eslint-disable-next-line @nx/enforce-module-boundaries -- an example imports what its reader imports
import { RoundhouseClient, RoundhouseError } from '@roundhouse/client';

const DIGITS = 8;

/** About a day, if a block is forged every eight seconds. */
const USUAL_BLOCKS = 10_000;

const tokens = (arktoshi: bigint): string => {
  const digits = arktoshi.toString().padStart(DIGITS + 1, '0');
  return `${digits.slice(0, -DIGITS)}.${digits.slice(-DIGITS)}`;
};

const line = (name: string, amount: bigint): void =>
  console.log(`${name.padEnd(34)}  ${tokens(amount).padStart(20)}`);

const [url, name, share = '90', first, last] = process.argv.slice(2);
const isHeight = (text: string | undefined): boolean => text === undefined || /^[1-9]\d{0,9}$/.test(text);
if (!url || !name || !isHeight(first) || !isHeight(last)) {
  console.error(
    'Usage: payouts URL USERNAME [PERCENT] [FROM] [TO], for example http://localhost:4003 genesis_1 92.5 1 500',
  );
  process.exit(1);
}

try {
  const client = new RoundhouseClient(url);
  const { network } = await client.get('/api/loader/autoconfigure');
  const to = last === undefined ? (await client.get('/api/blocks/getHeight')).height : Number(last);
  const from = first === undefined ? Math.max(to - USUAL_BLOCKS + 1, 1) : Number(first);
  const { forgedBlocks, rewards, fees, shared, kept, payouts } = await client.history.payouts(name, {
    from,
    to,
    share,
  });
  console.log(
    `${name} forged ${forgedBlocks} blocks from ${from} to ${to}, ${tokens(rewards + fees)} ${network.token}; ${share} % for its voters:\n`,
  );
  for (const { address, amount } of payouts) line(address, amount);
  line('all', shared);
  line('kept', kept);
} catch (error) {
  if (!(error instanceof RoundhouseError)) throw error;
  console.error(error.message);
  process.exit(1);
}
