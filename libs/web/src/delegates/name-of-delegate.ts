import type { PageReader } from '../page/define-page.js';

/** The username of the delegate with this public key; null if there is none. */
export const nameOfDelegate = async ({ get }: PageReader, publicKey: string): Promise<string | null> =>
  (await get('/delegates.json', { publicKey })).delegates[0]?.username ?? null;
