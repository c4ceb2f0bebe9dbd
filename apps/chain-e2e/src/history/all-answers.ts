import type { ServedIndex } from '../served-index.js';
import type { PastDelegate } from './past-answers.js';

/** Requests that are under way at once. */
const AT_ONCE = 16;

const answerOf = async (served: ServedIndex, path: string): Promise<string> => {
  const { status, body } = await served.request(path);
  return `${status} ${body}`;
};

/** All pages of the changes of an account. Their cursors name blocks of the branch. */
const changesOf = async (served: ServedIndex, address: string): Promise<string> => {
  const texts: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const path = `/api/history/accounts/${address}/changes?limit=10${cursor && `&cursor=${cursor}`}`;
    const page: { readonly nextCursor: string | null } = await served.found(path);
    texts.push(await answerOf(served, path));
    cursor = page.nextCursor;
  }
  return texts.join('\n');
};

/**
 * Status and body of everything that history answers, by path: about every account, and about every height from `from`
 * to the first above the head.
 */
export const allAnswers = async (served: ServedIndex, from: number): Promise<Map<string, string>> => {
  const { height: head } = await served.found<{ height: number }>('/api/blocks/getHeight');
  const { delegates } = await served.found<{ delegates: PastDelegate[] }>(
    `/api/history/delegates?height=${head}`,
  );
  const addresses = await listAddresses(served);
  const left: [string, (path: string) => Promise<string>][] = [];
  const plain = (path: string): unknown => left.push([path, () => answerOf(served, path)]);
  for (let height = from; height <= head + 1; height += 1) {
    plain(`/api/history/delegates?height=${height}`);
    plain(`/api/history/supply?height=${height}`);
    for (const { publicKey } of delegates)
      plain(`/api/history/delegates/${publicKey}/voters?height=${height}`);
    for (const address of addresses) plain(`/api/history/accounts/${address}?height=${height}`);
  }
  for (const { publicKey } of delegates) {
    plain(`/api/history/delegates/${publicKey}/rounds?limit=1000`);
    plain(`/api/history/delegates/${publicKey}/payouts?from=1&to=${head}`);
    plain(`/api/history/delegates/${publicKey}/payouts?from=1&to=${head}&share=90&format=csv`);
  }
  for (const address of addresses) left.push([`changes of ${address}`, () => changesOf(served, address)]);
  const answers = new Map<string, string>();
  const askOn = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift())
      answers.set(next[0], await next[1](next[0]));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askOn));
  return answers;
};

/** Of all accounts at the head. */
const listAddresses = async (served: ServedIndex): Promise<string[]> => {
  const addresses: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: { readonly accounts: { readonly address: string }[]; readonly nextCursor: string | null } =
      await served.found(`/api/accounts?limit=100${cursor && `&cursor=${cursor}`}`);
    addresses.push(...page.accounts.map(({ address }) => address));
    cursor = page.nextCursor;
  }
  return addresses;
};
