import { BlockTree, type TreeBlock } from '../reader/block-tree.js';

/** The body of `POST /devnet/misbehave`. */
export interface MisbehaviourOrder {
  readonly kind: string;
  readonly [parameter: string]: string | number | boolean;
}

interface Standing {
  readonly height: number;
  readonly id: string;
  /** The highest page of a list that was requested since the last order to misbehave. */
  readonly largestPage: number;
}

const MOST_AT_ONCE = 200;

/** The node of the simulation. It gets its orders one after the other, so that only the plan decides the chain. */
export class Devnet {
  readonly tree = new BlockTree();
  head: Standing = { height: 0, id: '', largestPage: 0 };
  private last: Promise<unknown> = Promise.resolve();
  private known = 0;

  constructor(readonly url: string) {}

  get wellBehavedUrl(): string {
    return `${this.url}/devnet/well`;
  }

  forgeTo(height: number): Promise<void> {
    return this.inTurn(async () => {
      while (this.head.height < height) {
        await this.post('forge', { count: Math.min(height - this.head.height, MOST_AT_ONCE) });
      }
    });
  }

  fork(depth: number, length: number): Promise<void> {
    return this.inTurn(async () => {
      this.known = Math.min(this.known, this.head.height - depth);
      await this.post('fork', { depth, length });
    });
  }

  /** Forges this many more blocks. */
  readonly forge = (count: number): Promise<void> => this.order('forge', { count });
  readonly restartNode = (): Promise<void> => this.order('restart');
  /** False if the chain does not have what the order needs: then it must grow. */
  readonly misbehave = async (order: MisbehaviourOrder): Promise<boolean> => {
    try {
      await this.order('misbehave', order);
      return true;
    } catch (error) {
      if ((error as Error).message.includes('forge more blocks')) return false;
      throw error;
    }
  };
  readonly behave = (): Promise<void> => this.order('behave');
  readonly pause = (): Promise<void> => this.order('pause');

  private order(name: string, body: object = {}): Promise<void> {
    return this.inTurn(() => this.post(name, body));
  }

  private inTurn(order: () => Promise<void>): Promise<void> {
    const done = this.last.then(order);
    this.last = done.catch(() => undefined);
    return done;
  }

  /** Adds every block that the node has shown to the tree. */
  private async post(order: string, body: object): Promise<void> {
    const { data } = await this.ask<{ data: Standing }>(`/devnet/${order}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    this.head = data;
    const blocks = await this.ask<{ data: { own: TreeBlock[]; other: TreeBlock[] } }>(
      `/devnet/blocks?from=${Math.max(this.known - 150, 1)}`,
    );
    for (const block of [...blocks.data.own, ...blocks.data.other]) this.tree.add(block);
    this.known = data.height;
  }

  private async ask<T>(path: string, init?: RequestInit): Promise<T> {
    const answer = await fetch(this.url + path, init);
    if (!answer.ok)
      throw new Error(`The devnet answered ${path} with ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  }
}
