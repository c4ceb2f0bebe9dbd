import type { Certificate, ProofResponse } from './generated/api.js';

const LEAF = 0;
const NODE = 1;

const sha256 = async (prefix: number, ...parts: readonly Uint8Array[]): Promise<Uint8Array> => {
  const bytes = Uint8Array.from([prefix, ...parts.flatMap((part) => [...part])]);
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
};

const bytesOfHex = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));

const hexOf = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const leafOf = ({ address, publicKey, balance, locked, nonce, vote, username }: ProofResponse['account']) =>
  [address, publicKey ?? '', balance, locked, nonce, vote ?? '', username ?? ''].join('\t');

const HASH = /^[0-9a-f]{64}$/;

/**
 * Whether the account of a proof is the one at the height of `certificate`, which the caller trusts, whoever sent the proof: a file of
 * `indexer certificate`, for example, read by `JSON.parse`. Asks no server. Browsers compute hashes only on pages of HTTPS or of
 * localhost. The steps are those of RFC 9162, section 2.1.3.2.
 */
export const verifyProof = async (
  { account, index, path }: Pick<ProofResponse, 'account' | 'index' | 'path'>,
  certificate: Pick<Certificate, 'accounts' | 'root'>,
): Promise<boolean> => {
  const isPlace = Number.isInteger(index) && index >= 0 && index < certificate.accounts;
  if (!isPlace || !path.every((hash) => HASH.test(hash))) return false;
  let hash = await sha256(LEAF, new TextEncoder().encode(leafOf(account)));
  let [at, last] = [index, certificate.accounts - 1];
  for (const sibling of path.map(bytesOfHex)) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      hash = await sha256(NODE, sibling, hash);
      for (; at % 2 === 0; at >>= 1) last >>= 1;
    } else hash = await sha256(NODE, hash, sibling);
    at >>= 1;
    last >>= 1;
  }
  return last === 0 && hexOf(hash) === certificate.root;
};
