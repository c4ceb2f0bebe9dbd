import { ForeignRulesError, type Network } from '@roundhouse/chain';
import { NodeProtocolError } from '../errors/node-errors.js';

/** A source announces rules that the index does not have. Blocks from there on are refused. */
export interface Announcement {
  readonly source: string;
  /** The height of the first such rule; null if the source no longer announces any. */
  readonly from: number | null;
  readonly reason: string;
}

/** The rules that a source announces and the index does not have. They do not concern the blocks below them. */
export class AnnouncedRules {
  private first: { readonly from: number; readonly reason: string } | null = null;

  constructor(
    private readonly source: string,
    private readonly onChange: (announcement: Announcement) => void,
  ) {}

  /** Records that the source announces none. */
  clear(): void {
    this.set(null);
  }

  /** Returns the network below the rules that a source's error is about; null if there is nothing that could be used. */
  networkBelow({ cause, message }: NodeProtocolError): Network | null {
    if (!(cause instanceof ForeignRulesError)) return null;
    const network = cause.networkBelow();
    if (network !== null) this.set({ from: cause.height, reason: message });
    return network;
  }

  /** Throws `NodeProtocolError` if not all blocks `from` to `to` are below these rules. */
  assertBelow(from: number, to: number): void {
    if (this.first === null || to < this.first.from) return;
    throw new NodeProtocolError(this.source, this.first.reason, { height: Math.max(from, this.first.from) });
  }

  private set(first: AnnouncedRules['first']): void {
    const isNews = first?.from !== this.first?.from;
    this.first = first;
    if (isNews) {
      this.onChange({ source: this.source, from: first?.from ?? null, reason: first?.reason ?? '' });
    }
  }
}
