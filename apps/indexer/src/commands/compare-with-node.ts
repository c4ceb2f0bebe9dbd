import { setTimeout as wait } from 'node:timers/promises';
import type { BlockRef } from '@roundhouse/chain';
import { OperatorError } from '@roundhouse/config';
import type { DelegatesSource } from '@roundhouse/source';
import { readDelegatesAtHead, readVotersAtHead } from '@roundhouse/storage';
import type { ClientBase } from 'pg';

/** How often node and index are read until both are at the same block, and the pause between two attempts. */
const ATTEMPTS = 30;
const PAUSE_MS = 1_000;

interface AtHead {
  readonly head: BlockRef | null;
}

/** Reads both while neither moves. Throws `OperatorError` if they do not reach the same block. */
const atSameBlock = async <Theirs, Ours extends AtHead>(
  node: DelegatesSource,
  readNode: () => Promise<Theirs>,
  readIndex: () => Promise<Ours>,
): Promise<{ theirs: Theirs; ours: Ours; head: BlockRef }> => {
  for (let attempt = 1; ; attempt += 1) {
    const before = await node.tip();
    const theirs = await readNode();
    const ours = await readIndex();
    const after = await node.tip();
    const { head } = ours;
    if (head !== null && head.id === before.id && head.id === after.id) return { theirs, ours, head };
    if (attempt === ATTEMPTS) {
      throw new OperatorError(
        `${node.name} is at block ${after.height} (${after.id}), the index at ${head?.height ?? 0} (${head?.id ?? 'nothing'}): ` +
          `they can only be compared at the same block. Let an indexer follow that node, then try again.`,
      );
    }
    await wait(PAUSE_MS);
  }
};

const difference = (who: string, what: string, theirs: unknown, ours: unknown): string[] =>
  theirs === ours ? [] : [`${who}: ${what} is ${String(ours)}, the node has ${String(theirs)}`];

/** Pairs two lists by their keys and returns what `compare` says about each pair. */
const paired = <Theirs, Ours>(
  theirs: ReadonlyMap<string, Theirs>,
  ours: ReadonlyMap<string, Ours>,
  compare: (key: string, theirs: Theirs | undefined, ours: Ours | undefined) => string[],
): string[] =>
  [...new Set([...theirs.keys(), ...ours.keys()])]
    .sort()
    .flatMap((key) => compare(key, theirs.get(key), ours.get(key)));

const compareVoters = async (
  client: ClientBase,
  node: DelegatesSource,
  publicKey: string,
): Promise<string[]> => {
  const { theirs, ours } = await atSameBlock(
    node,
    () => node.voters(publicKey),
    () => readVotersAtHead(client, publicKey),
  );
  const balances = (list: readonly { readonly address: string; readonly balance: bigint }[]) =>
    new Map(list.map(({ address, balance }) => [address, balance]));
  return paired(balances(theirs), balances(ours.voters), (address, their, our) => {
    const who = `voter ${address} of ${publicKey}`;
    if (their === undefined) return [`${who}: balance is ${our}, the node has no such voter`];
    if (our === undefined) return [`${who}: the index has no such voter, the node has balance ${their}`];
    return difference(who, 'balance', their, our);
  });
};

/** One sentence per difference in delegates, weights, forged totals and voters. */
export const compareWithNode = async (
  client: ClientBase,
  node: DelegatesSource,
  onProgress: (done: number, of: number) => void,
): Promise<{ head: BlockRef; delegates: number; differences: string[] }> => {
  const { theirs, ours, head } = await atSameBlock(
    node,
    () => node.delegates(),
    () => readDelegatesAtHead(client),
  );
  const byKey = <T extends { readonly publicKey: string }>(list: readonly T[]): Map<string, T> =>
    new Map(list.map((delegate) => [delegate.publicKey, delegate]));
  const differences = paired(byKey(theirs), byKey(ours.delegates), (publicKey, their, our) => {
    const who = `delegate ${(our ?? their)!.username} (${publicKey})`;
    if (!their) return [`${who}: the node has no such delegate`];
    if (!our) return [`${who}: the index has no such delegate`];
    return [
      ...difference(who, 'username', their.username, our.username),
      ...difference(who, 'weight', their.weight, our.weight),
      ...difference(who, 'number of produced blocks', their.producedBlocks, our.producedBlocks),
      ...difference(who, 'sum of forged fees', their.forgedFees, our.forgedFees),
      ...difference(who, 'sum of forged rewards', their.forgedRewards, our.forgedRewards),
    ];
  });
  for (const [index, { publicKey }] of theirs.entries()) {
    differences.push(...(await compareVoters(client, node, publicKey)));
    onProgress(index + 1, theirs.length);
  }
  return { head, delegates: theirs.length, differences };
};
