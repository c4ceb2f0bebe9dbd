import { setTimeout as wait } from 'node:timers/promises';
import { CoreV2Document, SeededRandom } from '@roundhouse/testing';
import { coreV2Request, faultsOfCoreV2 } from './core-v2-requests.js';
import { faultsOf } from './judge.js';
import type { KnownCase } from './known-cases.js';
import { bytesOf, modelledRequest } from './modelled-request.js';
import { exchange, RawConnection } from './raw-connection.js';
import { takeResponse, type RawResponse } from './raw-response.js';
import { wildBytes } from './wild-bytes.js';

/** These suffice to send a request again. */
export interface Case {
  readonly seed: number;
  readonly index: number;
}

export interface Finding extends Case {
  readonly sent: string;
  readonly faults: readonly string[];
}

export interface FuzzReport {
  readonly requests: number;
  /** The number of responses by status. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly findings: readonly Finding[];
}

const AT_ONCE = 8;

const WILD_SHARE = 0.25;

/** Of the others. */
const CORE_V2_SHARE = 0.3;

/** On a busy machine the api may lose its database for a moment. */
const BUSY_ATTEMPTS = 20;

/** Mixes seed and index into one number, so that neighbouring cases are drawn independently. */
const randomOf = ({ seed, index }: Case): SeededRandom =>
  SeededRandom.of(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));

const text = (bytes: Buffer): string => {
  const shown = JSON.stringify(bytes.subarray(0, 600).toString('latin1'));
  return bytes.length > 600 ? `${shown} (${bytes.length} bytes)` : shown;
};

/** We end the connection after some silence, which may be between an interim response and the final one. */
const isInterim = (received: Buffer): boolean =>
  received.toString('latin1') === 'HTTP/1.1 100 Continue\r\n\r\n';

/** All responses of a known case must arrive, also from a busy server. */
const PATIENT_SILENCE_MS = 1_000;

/** `methods` are the methods of the requests if they are not all GET. Throws if anything but responses arrives. */
const responsesTo = async (
  url: string,
  bytes: Buffer,
  methods: readonly string[] = [],
  silenceMs?: number,
): Promise<RawResponse[]> => {
  const responses: RawResponse[] = [];
  let rest = await exchange(url, bytes, silenceMs);
  while (rest.length > 0 && !isInterim(rest)) {
    const taken = takeResponse(rest, methods[responses.length] ?? 'GET');
    if (!taken) throw new Error(`A response was cut off: ${text(rest)}`);
    responses.push(taken.response);
    rest = taken.rest;
  }
  return responses;
};

/** Sends these bytes and says what is wrong with the responses. */
export const faultsAfter = async (
  url: string,
  { sent, statuses, methods = [] }: KnownCase,
): Promise<string[]> => {
  const responses = await responsesTo(url, Buffer.from(sent, 'latin1'), methods, PATIENT_SILENCE_MS);
  const got = responses.map(({ status }) => status);
  return [
    ...(String(got) === String(statuses) ? [] : [`${got.join()} in place of ${statuses.join()}`]),
    ...responses.flatMap((response, at) => faultsOf(response, methods[at] ?? 'GET')),
  ];
};

class Fuzzer {
  readonly statuses = new Map<number, number>();
  readonly findings: Finding[] = [];

  constructor(
    private readonly url: string,
    private readonly coreV2: CoreV2Document,
  ) {}

  async try(which: Case, connection: RawConnection): Promise<void> {
    const random = randomOf(which);
    if (random.chance(WILD_SHARE)) await this.tryWild(which, wildBytes(random));
    else if (random.chance(CORE_V2_SHARE)) await this.tryCoreV2(which, random, connection);
    else await this.tryModelled(which, random, connection);
  }

  private async tryModelled(which: Case, random: SeededRandom, connection: RawConnection): Promise<void> {
    const request = modelledRequest(random);
    const bytes = bytesOf(request);
    try {
      const response = await this.askPatiently(bytes, request.method, connection);
      this.note(which, bytes, response, request.method);
      if (!request.statuses.includes(response.status)) {
        const foretold = request.statuses.join(' or ');
        this.find(which, bytes, [
          `status ${response.status}, not ${foretold}: ${response.body.toString().slice(0, 200)}`,
        ]);
      }
    } catch (error) {
      this.find(which, bytes, [(error as Error).message]);
    }
  }

  private async tryCoreV2(which: Case, random: SeededRandom, connection: RawConnection): Promise<void> {
    const request = coreV2Request(random, this.coreV2);
    const bytes = bytesOf(request);
    try {
      const response = await this.askPatiently(bytes, request.method, connection);
      this.note(which, bytes, response, request.method, '2');
      const faults = faultsOfCoreV2(request, response, this.coreV2);
      if (faults.length > 0) this.find(which, bytes, faults);
    } catch (error) {
      this.find(which, bytes, [(error as Error).message]);
    }
  }

  private async askPatiently(bytes: Buffer, method: string, connection: RawConnection): Promise<RawResponse> {
    for (let attempt = 1; ; attempt += 1) {
      const response = await connection.ask(bytes, method);
      if (response.status !== 503 || attempt === BUSY_ATTEMPTS) return response;
      await wait(200);
    }
  }

  /** The server must send well-formed responses, and then end. */
  private async tryWild(which: Case, bytes: Buffer): Promise<void> {
    try {
      for (const response of await responsesTo(this.url, bytes)) this.note(which, bytes, response, 'GET');
    } catch (error) {
      this.find(which, bytes, [(error as Error).message]);
    }
  }

  private note(
    which: Case,
    bytes: Buffer,
    response: RawResponse,
    method: string,
    version: '1' | '2' = '1',
  ): void {
    this.statuses.set(response.status, (this.statuses.get(response.status) ?? 0) + 1);
    const faults = faultsOf(response, method, version);
    if (faults.length > 0) this.find(which, bytes, faults);
  }

  private find(which: Case, bytes: Buffer, faults: readonly string[]): void {
    this.findings.push({ ...which, sent: text(bytes), faults });
  }
}

/** Sends these requests to the api, several at a time, and judges the responses. */
export const fuzz = async (
  url: string,
  cases: Iterable<Case>,
  onProgress: (done: number) => void = () => undefined,
): Promise<FuzzReport> => {
  const fuzzer = new Fuzzer(url, await CoreV2Document.of(url));
  const queue = cases[Symbol.iterator]();
  let done = 0;
  const work = async (): Promise<void> => {
    const connection = new RawConnection(url);
    for (let next = queue.next(); !next.done; next = queue.next()) {
      await fuzzer.try(next.value, connection);
      done += 1;
      onProgress(done);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { requests: done, statuses: fuzzer.statuses, findings: fuzzer.findings };
};

export function* casesOf(seed: number, count: number, from = 0): Generator<Case> {
  for (let index = from; index < from + count; index += 1) yield { seed, index };
}
