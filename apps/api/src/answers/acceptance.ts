import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

export type Coding = 'br' | 'gzip';

/** The forms of an answer that a client accepts. */
export interface Acceptance {
  /** The coding that it prefers; null if it prefers none. */
  readonly coding: Coding | null;
  /** Whether it also accepts the bytes without a coding. */
  readonly takesIdentity: boolean;
}

/** The published types lack `preferred`, which decides between equal quality values. */
interface EncodingNegotiator {
  encodings(
    available: readonly (Coding | 'identity')[],
    options: { readonly preferred: readonly Coding[] },
  ): (Coding | 'identity')[];
}

const IDENTITY: Acceptance = { coding: null, takesIdentity: true };

/** There are many clients, but few different headers. */
const known = new LRUCache<string, Acceptance>({ max: 500 });

const LONGEST_KNOWN = 200;

const negotiate = (acceptEncoding: string): Acceptance => {
  const headers = { 'accept-encoding': acceptEncoding };
  const negotiator = new Negotiator({ headers }) as unknown as EncodingNegotiator;
  const accepted = negotiator.encodings(['br', 'gzip', 'identity'], { preferred: ['br', 'gzip'] });
  const [best = 'identity'] = accepted;
  // A client that accepts nothing gets the plain bytes, which every client can read.
  if (best === 'identity') return IDENTITY;
  return { coding: best, takesIdentity: accepted.includes('identity') };
};

export const acceptanceOf = (acceptEncoding: string | string[] | undefined): Acceptance => {
  if (typeof acceptEncoding !== 'string') return IDENTITY;
  let acceptance = known.get(acceptEncoding);
  if (!acceptance) {
    acceptance = negotiate(acceptEncoding);
    if (acceptEncoding.length <= LONGEST_KNOWN) known.set(acceptEncoding, acceptance);
  }
  return acceptance;
};
