import { eventually } from '@roundhouse/testing';

/** The address of the stack under test, set by launch/global-setup.mjs. */
export const apiUrl = process.env['WEB_E2E_URL']!;
const devnetUrl = process.env['WEB_E2E_DEVNET_URL']!;

interface Standing {
  readonly data: { readonly height: number; readonly id: string };
}

const order = async (what: string, body: object = {}): Promise<Standing> => {
  const response = await fetch(`${devnetUrl}/devnet/${what}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok)
    throw new Error(`The devnet answered ${response.status} to ${what}: ${await response.text()}`);
  return (await response.json()) as Standing;
};

export const getJson = async <T>(path: string): Promise<T> =>
  (await (await fetch(apiUrl + path)).json()) as T;

export const headOf = (): Promise<{ readonly height: number; readonly id: string }> =>
  getJson('/api/blocks/getHeight');

/** Orders to the devnet of the stack. */
export const chain = {
  /**
   * Pauses the chain and waits until all of it is indexed: a fork of blocks that were never indexed would not be
   * noticed.
   */
  pause: async (): Promise<void> => {
    const { data } = await order('pause');
    await eventually('the whole chain is indexed', async () => (await headOf()).id === data.id);
  },
  resume: () => order('resume'),
  fork: (depth: number) => order('fork', { depth }),
};
