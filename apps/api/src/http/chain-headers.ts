import type { HeadRecord } from '@roundhouse/storage';

interface Known {
  readonly head: HeadRecord;
  readonly headers: readonly string[];
}

/** Of one head there are many answers. */
let newest: Known | undefined;

/** What of the chain a response tells of, in the flat form that `writeHead` takes; nothing before the first block. */
export const chainHeaders = (head: HeadRecord | null | undefined): readonly string[] => {
  if (!head) return [];
  if (newest?.head !== head) newest = { head, headers: headersOf(head) };
  return newest.headers;
};

const headersOf = ({ height, indexedAtUs }: HeadRecord): readonly string[] => [
  'X-Chain-Height',
  String(height),
  'X-Indexed-At',
  new Date(Number(indexedAtUs / 1000n)).toISOString(),
];
