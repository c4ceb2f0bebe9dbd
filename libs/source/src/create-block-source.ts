import type { Network } from '@roundhouse/chain';
import { addressMistake, resolveDatabaseUrl } from '@roundhouse/config';
import { ArchiveSource } from './archive/archive-source.js';
import type { BlockSource, RawSource } from './block-source.js';
import { AgreedNetwork, type AcceptNetwork } from './checks/agreed-network.js';
import type { Verification } from './checks/block-checker.js';
import { CheckedSource } from './checks/checked-source.js';
import { networkIsMissing, type Announcement } from './checks/source-network.js';
import type { BrokenClaim } from './checks/unkept-claim.js';
import { CoreApiSource } from './core-api/core-api-source.js';
import type { DelegatesSource } from './core-api/delegates-source.js';
import type { NodeHttpOptions, SourcePause } from './core-api/node-http-options.js';
import { CoreDatabaseSource } from './core-database/core-database-source.js';
import type { NodeUnavailableError } from './errors/node-errors.js';
import { SourceConfigError } from './errors/source-config.error.js';
import { FailoverSource, type SourceChange } from './failover/failover-source.js';

/** The events of an open source, for logs and metrics. */
export interface SourceEvents {
  /** A request failed and may be retried. Also called if the retry then succeeds. */
  readonly onUnavailable?: (error: NodeUnavailableError) => void;
  /** A node grants no more requests for longer than 2 s. Called once, when this begins. */
  readonly onPause?: (pause: SourcePause) => void;
  /** A source reports a newer configuration of the same chain: see `AcceptNetwork`. */
  readonly acceptNetwork?: AcceptNetwork;
  /** Another one of several sources is now in use. */
  readonly onSourceChange?: (change: SourceChange) => void;
  /** A source has announced blocks that it does not return, for longer than allowed. */
  readonly onBrokenClaim?: (claim: BrokenClaim) => void;
  /** A source announces rules that the index does not have, or no longer does: see `Announcement`. */
  readonly onAnnouncedRules?: (announcement: Announcement) => void;
  /** A gzipped archive can only be read from its beginning. Called once, with what to do about it. */
  readonly onSlowArchive?: (advice: string) => void;
}

export interface BlockSourceOptions extends SourceEvents {
  /** `BLOCK_SOURCE`: one address, or several separated by commas, the preferred one first. */
  readonly urls: string;
  /** The chain that the source must have. If null or absent, the one that the source reports. */
  readonly network?: Network | null;
  /** (Default: `hash`) */
  readonly verify?: Verification;
  /** How long one request or statement may take. (Default: 15,000) */
  readonly timeoutMs?: number;
  /** How often one request is tried before the source counts as unavailable. (Default: 4; 2 if there are others) */
  readonly attempts?: number;
  /** The wait before the second try. It doubles with each further one. (Default: 250) */
  readonly backoffMs?: number;
  /** How often the health and the height of several sources are checked. (Default: 10,000) */
  readonly probeMs?: number;
}

const TIMEOUT_MS = 15_000;
const BACKOFF_MS = 250;
const ATTEMPTS = 4;
const ATTEMPTS_BESIDE_OTHERS = 2;

const SCHEMES = 'http://, https://, postgres:// or file:';

// Only a comma before another scheme is a separator, because a password or a path may contain commas.
const SEPARATOR = /\s*,\s*(?=[a-z][a-z0-9+.-]*:)/i;

/** The addresses in `BLOCK_SOURCE`, the preferred one first. */
export const splitUrls = (urls: string): string[] => urls.trim().split(SEPARATOR).filter(Boolean);

type RawOptions = Pick<
  BlockSourceOptions,
  'network' | 'timeoutMs' | 'attempts' | 'backoffMs' | keyof SourceEvents
> &
  Pick<NodeHttpOptions, 'isPatient' | 'onAnswer'>;

/** Opens one source, whose blocks are not checked. Throws `SourceConfigError` if its address cannot be used. */
export const openRawSource = (url: string, options: RawOptions): RawSource => {
  const { timeoutMs = TIMEOUT_MS, attempts = ATTEMPTS, backoffMs = BACKOFF_MS } = options;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  switch (scheme) {
    case 'http':
    case 'https':
      return new CoreApiSource(
        addressOf(url),
        { ...options, timeoutMs, attempts, backoffMs },
        options.network,
      );
    case 'postgres':
    case 'postgresql':
      return new CoreDatabaseSource(databaseAddressOf(url), { ...options, timeoutMs });
    case 'file':
      return new ArchiveSource(pathOf(url), options.onSlowArchive);
    default:
      // The rest may hold a password.
      throw new SourceConfigError(
        `BLOCK_SOURCE cannot be used with ${scheme ? `"${scheme}:"` : 'no scheme'}: begin each address with ${SCHEMES}`,
      );
  }
};

/** Accepts `file:name`, `file:/path` and `file:///path`. A `%` that encodes nothing stands for itself. */
const pathOf = (url: string): string => {
  const path = url.replace(/^file:(?:\/\/(?=\/))?/i, '');
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
};

const addressOf = (text: string, setting = 'BLOCK_SOURCE'): URL => {
  let url: URL;
  try {
    url = new URL(text);
  } catch (error) {
    // The address may hold a password, so the message does not repeat it.
    throw new SourceConfigError(
      `${setting} holds an address that cannot be read (${(error as Error).message}).`,
    );
  }
  const mistake = addressMistake(url);
  if (mistake !== null)
    throw new SourceConfigError(`${setting} holds an address that cannot be used: ${mistake}.`);
  return url;
};

const databaseAddressOf = (url: string): URL => {
  const { href } = addressOf(url);
  try {
    return new URL(resolveDatabaseUrl(href));
  } catch (error) {
    throw new SourceConfigError(
      `BLOCK_SOURCE holds a database's address that cannot be used: ${(error as Error).message}.`,
      { cause: error },
    );
  }
};

/**
 * Opens a Core node's public API to compare an index with. Throws `SourceConfigError` if the address cannot be
 * used. All errors refer to `setting`, the option that holds the address.
 */
export const openDelegatesSource = (
  url: string,
  { setting, onPause }: { readonly setting: string; readonly onPause: (pause: SourcePause) => void },
): DelegatesSource => {
  if (/^https?:/i.test(url)) {
    return new CoreApiSource(addressOf(url, setting), {
      setting,
      timeoutMs: TIMEOUT_MS,
      attempts: ATTEMPTS,
      backoffMs: BACKOFF_MS,
      isPatient: true,
      onPause,
    });
  }
  throw new SourceConfigError(
    `${setting} must name the public API of a Core node: begin the address with http:// or https://.`,
  );
};

/**
 * Opens the sources that `BLOCK_SOURCE` names, without sending them a request. Throws `SourceConfigError` if an
 * address cannot be used, or if the network is not given and no source can report it.
 */
export const createBlockSource = async (options: BlockSourceOptions): Promise<BlockSource> => {
  const { network = null, verify = 'hash', probeMs = 10_000, onSourceChange } = options;
  const urls = splitUrls(options.urls);
  const attempts = options.attempts ?? (urls.length > 1 ? ATTEMPTS_BESIDE_OTHERS : ATTEMPTS);
  const agreed = new AgreedNetwork({ configured: network, accept: options.acceptNetwork });
  const opened = urls.map((url) => openRawSource(url, { ...options, attempts }));
  const [first, ...others] = opened.map(
    (source) => new CheckedSource(source, agreed, verify, options.onBrokenClaim, options.onAnnouncedRules),
  );
  if (!first) throw new SourceConfigError(`BLOCK_SOURCE is empty: begin it with ${SCHEMES}`);
  if (network === null && !opened.some((source) => source instanceof CoreApiSource)) {
    throw new SourceConfigError(networkIsMissing(first.name));
  }
  if (others.length === 0) return first;
  return new FailoverSource([first, ...others], {
    probeMs,
    now: () => performance.now(),
    onChange: (change) => onSourceChange?.(change),
  });
};
