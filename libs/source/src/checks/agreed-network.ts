import type { Network } from '@roundhouse/chain';
import { NodeProtocolError } from '../errors/node-errors.js';

/** The one network of all alternatives: as configured, else as the first source that knows it tells. */
export class AgreedNetwork {
  constructor(private network: Network | null) {}

  /** Takes note of what a source tells, null for nothing; throws `NodeProtocolError` where it is another chain. */
  agree(told: Network | null, source: string): Network | null {
    this.network ??= told;
    if (told !== null && this.network !== null && told.nethash !== this.network.nethash) {
      throw new NodeProtocolError(
        source,
        `${source} is on another chain: its nethash is ${told.nethash} (${told.name}), but ${this.network.nethash} ` +
          `(${this.network.name}) is expected. Mend NETWORK or BLOCK_SOURCE.`,
      );
    }
    return this.network;
  }
}
