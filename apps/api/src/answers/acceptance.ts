import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

export type Coding = 'br' | 'gzip';

/** In which forms a client takes an answer. */
export interface Acceptance {
  /** The coding that is best for it; null where that is none. */
  readonly coding: Coding | null;
  /** Whether it takes the bytes without a coding, too. */
  readonly takesIdentity: boolean;
}

/** The typings are of a version before `preferred`, which decides between equal quality values. */
interface EncodingNegotiator {
  encodings(
    available: readonly (Coding | 'identity')[],
    options: { readonly preferred: readonly Coding[] },
  ): (Coding | 'identity')[];
}

const IDENTITY: Acceptance = { coding: null, takesIdentity: true };

/** Clients are many and their headers few. */
const known = new LRUCache<string, Acceptance>({ max: 500 });

const LONGEST_KNOWN = 200;

const negotiate = (acceptEncoding: string): Acceptance => {
  const headers = { 'accept-encoding': acceptEncoding };
  const negotiator = new Negotiator({ headers }) as unknown as EncodingNegotiator;
  const accepted = negotiator.encodings(['br', 'gzip', 'identity'], { preferred: ['br', 'gzip'] });
  const [best = 'identity'] = accepted;
  // Who takes nothing at all gets what everybody can read.
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
