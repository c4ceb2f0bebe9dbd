import type { SeededRandom } from '@roundhouse/testing';
import { ENDPOINTS } from './endpoints.js';
import {
  BODIES,
  IDLE_HEADERS,
  MALFORMED,
  NOISE,
  OTHER_METHODS,
  OTHER_VERSIONS,
  UNFIT_HOSTS,
  UNKNOWN_PATHS,
} from './oddities.js';
import type { Endpoint } from './parameter.js';

/** A request whose outcome the contract determines. */
export interface ModelledRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** If more than one thing is wrong, any of them may be reported. */
  readonly statuses: readonly number[];
}

interface ChosenQuery {
  readonly pairs: string[];
  readonly status: number;
  /** Other statuses that it may get. */
  readonly others: readonly number[];
}

/** Values for an endpoint's parameters, and the status that they must get. */
const chooseQuery = (random: SeededRandom, endpoint: Endpoint): ChosenQuery => {
  const { parameters, areAlternatives, range = [], isMissing, mayBeMissing = false } = endpoint;
  const pairs: string[] = [];
  const given = new Map<string, string>();
  const verdicts: string[] = [];
  for (const { name, isRequired, values } of parameters) {
    const isGiven = random.chance(isRequired ? 0.95 : 0.5);
    if (!isGiven) {
      if (isRequired) verdicts.push('malformed');
      continue;
    }
    const valid = values.filter(([, verdict]) => verdict !== 'malformed' && verdict !== 'unmatched');
    // Otherwise nearly all requests with several parameters would fail.
    const [text, verdict] = random.pick(random.chance(0.5) ? valid : values);
    pairs.push(`${name}=${text}`);
    given.set(name, decodeURIComponent(text));
    verdicts.push(verdict);
    if (random.chance(0.03)) {
      pairs.push(`${name}=${text}`);
      verdicts.push('malformed');
    }
  }
  const [least = NaN, most = NaN] = range.map((name) => Number(given.get(name)));
  if (least > most) verdicts.push('malformed');
  if (areAlternatives && pairs.length === 0) verdicts.push('malformed');
  const mayBeRefused = endpoint.mayBeRefused || verdicts.includes('unknown');
  const mayFindNothing = mayBeMissing || mayBeRefused || verdicts.includes('fitting');
  if (verdicts.includes('malformed')) return { pairs, status: 400, others: mayBeMissing ? [404] : [] };
  if (isMissing) return { pairs, status: 404, others: [] };
  const isFound = areAlternatives ? verdicts.includes('valid') : !verdicts.includes('unmatched');
  const others = [...(mayFindNothing ? [404] : []), ...(mayBeRefused ? [400] : [])];
  return { pairs, status: isFound ? 200 : 404, others };
};

const shuffle = (random: SeededRandom, texts: readonly string[]): string[] =>
  texts
    .map((text) => [random.fraction(), text] as const)
    .sort(([a], [b]) => a - b)
    .map(([, text]) => text);

/**
 * The same path, spelled otherwise. What is encoded already stays as it is. A segment with digits is an address, a key or a name:
 * its letters keep their case.
 */
const disguise = (random: SeededRandom, path: string): string => {
  const segments = path.split('/').map((segment) => {
    const letters = segment.match(/%[\dA-F]{2}|./g) ?? [];
    const isValue = /\d/.test(segment);
    return letters
      .map((letter) => (random.chance(0.1) ? disguiseLetter(random, letter, isValue) : letter))
      .join('');
  });
  return segments.join('/') + (random.chance(0.1) ? '/' : '');
};

const disguiseLetter = (random: SeededRandom, letter: string, keepsCase: boolean): string => {
  if (letter.length > 1) return letter;
  if (keepsCase || random.chance(0.3)) return `%${letter.charCodeAt(0).toString(16)}`;
  return random.chance(0.5) ? letter.toUpperCase() : letter.toLowerCase();
};

const LONGEST_URL = 8192;

export const modelledRequest = (random: SeededRandom): ModelledRequest => {
  const endpoint = random.pick(ENDPOINTS);
  const { pairs, status, others } = chooseQuery(random, endpoint);
  const wrong: number[] = status === 200 ? [] : [status];
  while (random.chance(0.2)) pairs.push(random.pick(NOISE));
  if (random.chance(0.04)) {
    pairs.push(random.pick(MALFORMED));
    wrong.push(400);
  }
  let path = random.chance(0.3) ? disguise(random, endpoint.path) : endpoint.path;
  if (random.chance(0.05)) {
    path = random.pick(UNKNOWN_PATHS);
    wrong.push(404);
  }
  const headers: [string, string][] = [];
  while (random.chance(0.3)) headers.push([...random.pick(IDLE_HEADERS)]);
  if (random.chance(0.1)) headers.push(['API-Version', '1']);
  else if (random.chance(0.04)) {
    headers.push(['API-Version', random.pick(OTHER_VERSIONS)]);
    wrong.push(400);
  }
  if (random.chance(0.01)) {
    headers.push(['Host', random.pick(UNFIT_HOSTS)]);
    wrong.push(400);
  }
  if (headers.filter(([name]) => name === 'Host').length > 1) wrong.push(400);
  let method = 'GET';
  let body = '';
  let fine = 200;
  if (random.chance(0.1)) method = 'HEAD';
  else if (random.chance(0.04)) {
    method = 'OPTIONS';
    fine = 204;
  } else if (random.chance(0.06)) {
    method = random.pick(OTHER_METHODS);
    // TRACE may not have a body: clients would cut it off.
    body = random.pick(BODIES);
    wrong.push(405);
  }
  if (method !== 'OPTIONS' && headers.every(([name]) => name !== 'If-None-Match') && random.chance(0.04)) {
    headers.push(['If-None-Match', '*']);
    fine = 304;
  }
  const query = shuffle(random, pairs);
  const target = query.length > 0 || random.chance(0.05) ? `${path}?${query.join('&')}` : path;
  // A preflight asks about a path, not about its parameters.
  const foretold = method === 'OPTIONS' ? [fine, ...wrong] : wrong.length > 0 ? wrong : [fine];
  // Only the Host is looked at before.
  if (target.length > LONGEST_URL) return { method, target, headers, body, statuses: [400, 414] };
  return { method, target, headers, body, statuses: [...foretold, ...others] };
};

/** The bytes that a client would send. */
export const bytesOf = ({ method, target, headers, body }: Omit<ModelledRequest, 'statuses'>): Buffer => {
  const lines = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  if (!headers.some(([name]) => name === 'Host')) lines.push('Host: here');
  if (body !== '') lines.push(`Content-Length: ${Buffer.byteLength(body, 'latin1')}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1');
};
