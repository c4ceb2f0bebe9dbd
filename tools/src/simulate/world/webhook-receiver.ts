import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { eventually, type SeededRandom } from '@roundhouse/testing';
import { mistold, type ToldBlock } from '../reader/told-blocks.js';
import type { Devnet } from './devnet.js';

const EVENTS = ['block.applied', 'block.reverted'] as const;
type EventName = (typeof EVENTS)[number];

const TOLD_MS = 120_000;

/** A program that is told of blocks, and that hangs, fails or hangs up now and then. */
export class WebhookReceiver {
  /** What it has accepted, in the order of arrival. */
  private readonly told: Record<EventName, ToldBlock[]> = { 'block.applied': [], 'block.reverted': [] };
  private begun = '';
  private readonly server = createServer((request, response) => void this.receive(request, response));

  constructor(private readonly random: SeededRandom) {}

  /**
   * Registers at the port for webhooks of an indexer; one event each.
   * @param head the id of the index's head
   */
  async start(managementUrl: string, head: string): Promise<void> {
    this.begun = head;
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    const { port } = this.server.address() as AddressInfo;
    for (const event of EVENTS) {
      const answer = await fetch(`${managementUrl}/api/webhooks`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ event, target: `http://127.0.0.1:${port}/`, conditions: [] }),
      });
      if (answer.status !== 201) throw new Error(`A webhook was refused: ${await answer.text()}`);
    }
  }

  /** Waits until it was told of everything; returns what it was told wrongly, or not at all. */
  async problems({ head, tree }: Pick<Devnet, 'head' | 'tree'>): Promise<string[]> {
    const { 'block.applied': applied, 'block.reverted': reverted } = this.told;
    const blocks = [...tree.downFrom(head.id)];
    const before = new Set([...tree.downFrom(this.begun)].map(({ id }) => id));
    let problems: string[] = [];
    const isRight = (): boolean => {
      problems = mistold(applied, reverted, blocks, before);
      return problems.length === 0;
    };
    await eventually('webhooks tell of everything', isRight, TOLD_MS).catch(() => undefined);
    return problems;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request).catch(() => null);
    if (body === null) return;
    const mood = this.random.fraction();
    if (mood < 0.01) return;
    if (mood < 0.02) return void response.destroy();
    if (mood < 0.04) return void response.writeHead(500).end();
    const { event, data } = JSON.parse(body) as { readonly event: EventName; readonly data: ToldBlock };
    // Answered only then: what is not accepted comes again.
    this.told[event].push(data);
    response.end();
  }
}
