import type { RawBlock } from '../chain/raw-block.js';

/** A node sends only the first half of its token. It does not keep the other half; the receiver has it. */
const SENT_CHARACTERS = 32;
const TIMEOUT_MS = 1_500;

export interface WebhookTarget {
  readonly url: string;
  /** 64 characters. */
  readonly token: string;
}

/** Posts a block as Core's webhooks do for `block.applied`. A failed post is reported and not repeated. */
export const postBlock = async (
  { url, token }: WebhookTarget,
  block: RawBlock,
  onError: (error: Error) => void,
): Promise<void> => {
  const { transactions: _, ...data } = block;
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: token.slice(0, SENT_CHARACTERS), 'content-type': 'application/json' },
      body: JSON.stringify({ timestamp: Date.now(), data, event: 'block.applied' }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!answer.ok) throw new Error(`${url} answered with status ${answer.status}`);
  } catch (error) {
    onError(error as Error);
  }
};
