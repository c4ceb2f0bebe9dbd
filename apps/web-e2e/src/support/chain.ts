/** Where the stack of the run answers; launch/global-setup.mjs says it. */
export const apiUrl = process.env['WEB_E2E_URL']!;
const devnetUrl = process.env['WEB_E2E_DEVNET_URL']!;

const order = async (what: string, body: object = {}): Promise<void> => {
  const response = await fetch(`${devnetUrl}/devnet/${what}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok)
    throw new Error(`The devnet answered ${response.status} to ${what}: ${await response.text()}`);
};

/** Orders to the devnet of the stack. */
export const chain = {
  pause: () => order('pause'),
  resume: () => order('resume'),
  fork: (depth: number) => order('fork', { depth }),
  forge: (count: number) => order('forge', { count }),
};

export const getJson = async <T>(path: string): Promise<T> =>
  (await (await fetch(apiUrl + path)).json()) as T;

export const headOf = (): Promise<{ readonly height: number; readonly id: string }> =>
  getJson('/api/blocks/getHeight');
