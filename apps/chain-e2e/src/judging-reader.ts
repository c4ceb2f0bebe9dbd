import { parseLosslessJson } from '@roundhouse/blocks';

interface Block {
  readonly height: number;
  readonly id: string;
  readonly previousBlock: string;
  readonly confirmations: number;
}

type Amount = number | bigint;

interface Status {
  readonly height: number;
  readonly id: string;
  readonly supply: Amount;
  readonly delegates: readonly {
    readonly producedblocks: number;
    readonly fees: Amount;
    readonly rewards: Amount;
    readonly forged: Amount;
  }[];
  readonly blocks: readonly { readonly height: number; readonly id: string }[];
}

const PAGE = 100;

const mixtureIn = (blocks: readonly Block[], head: number): string | null => {
  for (const [index, block] of blocks.entries()) {
    if (block.height !== head - index)
      return `block ${block.height} is listed ${index} below the head ${head}`;
    if (block.confirmations !== index)
      return `block ${block.height} has ${block.confirmations} confirmations`;
    const below = blocks[index + 1];
    if (below && block.previousBlock !== below.id)
      return `block ${block.height} does not link to ${below.id}`;
  }
  return null;
};

const sum = (amounts: readonly Amount[]): bigint =>
  amounts.reduce((total: bigint, amount) => total + BigInt(amount), 0n);

/** Delegates produced every block except the first, and the supply is that of the first block plus their rewards. */
const mismatchIn = ({ height, id, supply, delegates, blocks }: Status, genesis: bigint): string | null => {
  const produced = sum(delegates.map(({ producedblocks }) => producedblocks));
  if (produced !== BigInt(height - 1)) return `${produced} blocks were produced up to height ${height}`;
  if (blocks[0]?.id !== id || blocks[0].height !== height) return `the newest block is not the head ${id}`;
  if (BigInt(supply) - sum(delegates.map(({ rewards }) => rewards)) !== genesis) {
    return `the supply ${supply} is not the genesis supply and the rewards up to height ${height}`;
  }
  const isOff = delegates.some(({ fees, rewards, forged }) => sum([fees, rewards]) !== BigInt(forged));
  return isOff ? `forged is not fees and rewards at height ${height}` : null;
};

/** Reads an api continuously and judges each answer by itself: it must be of one chain, or say why there is no answer. */
export class JudgingReader {
  readonly problems: string[] = [];
  readonly counts = { answers: 0, refusals: 0 };
  readonly heads = new Set<string>();
  private isStopped = false;
  private readonly running: Promise<unknown>;

  constructor(private readonly apiUrl: string) {
    this.running = Promise.all([this.readBlocks(), this.readStatus()]);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
  }

  private async readBlocks(): Promise<void> {
    while (!this.isStopped) {
      await this.read<{ blocks: Block[] }>(`/api/blocks?limit=${PAGE}`, ({ blocks }, head) => {
        this.heads.add(blocks[0]!.id);
        return mixtureIn(blocks, head);
      });
    }
  }

  private async readStatus(): Promise<void> {
    let genesis: bigint | null = null;
    while (!this.isStopped) {
      await this.read<Status>('/status.json?', (status) => {
        genesis ??= BigInt(status.supply) - sum(status.delegates.map(({ rewards }) => rewards));
        return mismatchIn(status, genesis);
      });
    }
  }

  private async read<T>(path: string, judge: (answer: T, head: number) => string | null): Promise<void> {
    const response = await fetch(this.apiUrl + path);
    const text = await response.text();
    if (response.status === 200) {
      this.counts.answers += 1;
      const problem = judge(parseLosslessJson(text) as T, Number(response.headers.get('x-chain-height')));
      if (problem !== null) this.problems.push(`${path}: ${problem}`);
      return;
    }
    this.counts.refusals += 1;
    if (response.status === 503 && Number(response.headers.get('retry-after')) > 0) return;
    this.problems.push(`${path}: ${response.status} ${text}`);
  }
}
