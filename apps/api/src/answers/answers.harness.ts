import { HeightResponseDto } from '@roundhouse/dto';
import type { ChainState } from '@roundhouse/readers';
import type { ApiSettings } from '../api.config.js';
import { ChainView, type ChainTracker } from '../chain/chain-tracker.service.js';
import { NotReadyError } from './errors.js';
import { Places } from '../limits/places.service.js';
import { AnswerCache } from './answer-cache.service.js';
import { acceptanceOf, type AnswerForm } from './answer.js';
import { AnswerRenewal } from './answer-renewal.service.js';
import type { MakeContent } from './answer-request.js';
import { asJson } from './kept.decorator.js';
import { AnswersService } from './answers.service.js';

const stateAt = (height: number): ChainState => ({
  isReplica: false,
  replicaLagSeconds: null,
  head: {
    height,
    id: String(height),
    timestamp: 0,
    supply: 0n,
    delegateCount: 0,
    indexedAtUs: BigInt(height),
    revision: BigInt(height),
  },
  network: null,
  sourceHeight: null,
  sourceSilentSeconds: 0,
  end: null,
  hasListIndexes: true,
});

/** A tracker that is controlled by the test. */
class ToldTracker {
  isConfirmed = true;
  latest = new ChainView(stateAt(1), {}, 1);
  refreshes = 0;
  /** Whether the tables can be read, which confirms the head. */
  isReachable = true;
  private tell: () => void = () => undefined;

  onNewBasis(listener: () => void): void {
    this.tell = listener;
  }

  current(): Promise<ChainView> {
    if (!this.isReachable) return Promise.reject(new NotReadyError('out of reach'));
    this.isConfirmed = true;
    return Promise.resolve(this.latest);
  }

  refresh(): Promise<void> {
    this.refreshes += 1;
    return Promise.resolve();
  }

  moveTo(height: number): void {
    this.latest = new ChainView(stateAt(height), {}, this.latest.sequence + 1);
    this.tell();
  }

  hearSource(sourceHeight: number): void {
    const { basis, sequence, head } = this.latest;
    this.latest = new ChainView({ ...stateAt(head.height), sourceHeight }, basis, sequence);
  }
}

export interface Asked {
  /** (Default: the key) */
  readonly url?: string;
  readonly acceptEncoding?: string;
  readonly makeContent?: MakeContent<HeightResponseDto>;
  readonly followsSource?: boolean;
  readonly isRenewed?: boolean;
}

export const heightIn = (body: Buffer): number => (JSON.parse(body.toString()) as HeightResponseDto).height;

/** The parts that make and keep answers; each answer has at least `bytes` bytes, and few more. */
export const startAnswers = ({ cacheMaxBytes = 1_000_000, bytes = 0 } = {}) => {
  const tracker = new ToldTracker();
  const settings = { CACHE_MAX_BYTES: cacheMaxBytes, MAX_WAITING_REQUESTS: 1000 } as ApiSettings;
  const cache = new AnswerCache(settings, tracker as unknown as ChainTracker);
  const answers = new AnswersService(tracker as unknown as ChainTracker, cache, new Places(settings));
  const renewal = new AnswerRenewal(cache, answers);
  let timesMade = 0;

  const heightOf: MakeContent<HeightResponseDto> = async ({ head }) => {
    timesMade += 1;
    await Promise.resolve();
    return { height: head.height, id: head.id.padEnd(bytes, '.'), success: true };
  };

  /** Asks as the door does: what has no ready bytes is made, or found by its key. */
  const ask = async (key: string, asked: Asked = {}): Promise<AnswerForm> => {
    const {
      url = key,
      acceptEncoding,
      makeContent = heightOf,
      followsSource = false,
      isRenewed = true,
    } = asked;
    const acceptance = acceptanceOf(acceptEncoding);
    const request = { key, url, writing: asJson(HeightResponseDto), makeContent, followsSource, isRenewed };
    const ready = cache.findReady(url, acceptance);
    return ready ?? ((await answers.get(request, acceptance, { client: url })) as AnswerForm);
  };

  const get = async (key: string, asked?: Asked): Promise<number> => heightIn((await ask(key, asked)).body);

  return { tracker, cache, renewal, ask, get, heightOf, timesMade: () => timesMade };
};
