import { parseLosslessJson } from '@roundhouse/chain';

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
  readonly blocks: readonly { readonly height: number; readonly id: string }[];
}

/** All delegates: the chain has less than a page of them. */
interface Delegates {
  readonly height: number;
  readonly id: string;
  readonly count: number;
  readonly delegates: readonly {
    readonly producedblocks: number;
    readonly fees: Amount;
    readonly rewards: Amount;
    readonly forged: Amount;
  }[];
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

const rewardsOf = ({ delegates }: Delegates): bigint => sum(delegates.map(({ rewards }) => rewards));

const mismatchInStatus = ({ height, id, blocks }: Status): string | null =>
  blocks[0]?.id !== id || blocks[0].height !== height ? `the newest block is not the head ${id}` : null;

/** Delegates produced every block except the first. */
const mismatchInDelegates = ({ height, count, delegates }: Delegates): string | null => {
  if (delegates.length !== count) return `${delegates.length} of ${count} delegates are listed`;
  const produced = sum(delegates.map(({ producedblocks }) => producedblocks));
  if (produced !== BigInt(height - 1)) return `${produced} blocks were produced up to height ${height}`;
  const isOff = delegates.some(({ fees, rewards, forged }) => sum([fees, rewards]) !== BigInt(forged));
  return isOff ? `forged is not fees and rewards at height ${height}` : null;
};

/** Reads an api continuously and judges each answer by itself: it must be of one chain, or say why there is no answer. */
export class JudgingReader {
  readonly problems: string[] = [];
  readonly counts = { answers: 0, refusals: 0, supplies: 0 };
  readonly heads = new Set<string>();
  /** By the id of the head. */
  private readonly supplies = new Map<string, bigint>();
  private readonly rewards = new Map<string, bigint>();
  private genesisSupply: bigint | null = null;
  private isStopped = false;
  private readonly running: Promise<unknown>;

  constructor(private readonly apiUrl: string) {
    this.running = Promise.all([this.readBlocks(), this.readStatus(), this.readDelegates()]);
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
    while (!this.isStopped) {
      await this.read<Status>('/status.json?', (status) => {
        this.supplies.set(status.id, BigInt(status.supply));
        return mismatchInStatus(status) ?? this.mismatchInSupply(status.id);
      });
    }
  }

  private async readDelegates(): Promise<void> {
    while (!this.isStopped) {
      await this.read<Delegates>(`/delegates.json?limit=${PAGE}`, (delegates) => {
        this.rewards.set(delegates.id, rewardsOf(delegates));
        return mismatchInDelegates(delegates) ?? this.mismatchInSupply(delegates.id);
      });
    }
  }

  /**
   * The supply is that of the first block plus all rewards. A head is not judged unless both its supply and its rewards
   * were read.
   */
  private mismatchInSupply(id: string): string | null {
    const [supply, rewards] = [this.supplies.get(id), this.rewards.get(id)];
    if (supply === undefined || rewards === undefined) return null;
    this.counts.supplies += 1;
    this.genesisSupply ??= supply - rewards;
    return supply - rewards === this.genesisSupply
      ? null
      : `the supply ${supply} is not the genesis supply and the rewards up to ${id}`;
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
