import type { HeadRecord } from '@roundhouse/storage';

/** What of the chain a response tells of, in the flat form that `writeHead` takes; nothing before the first block. */
export const chainHeaders = (head: HeadRecord | null | undefined): readonly string[] =>
  head
    ? [
        'X-Chain-Height',
        String(head.height),
        'X-Indexed-At',
        new Date(Number(head.indexedAtUs / 1000n)).toISOString(),
      ]
    : [];
