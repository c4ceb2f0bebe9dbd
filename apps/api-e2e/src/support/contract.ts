import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getText } from './requests.js';
import { serveChain, type ServedChain, type ServedChainOptions } from './served-chain.js';
import { startTracedApi, type TracedApi } from './traced-api.js';

/** One request and the answer that the contract requires. */
export interface ContractCase {
  readonly name: string;
  readonly request: string;
  /** The exact text of the answer, or an error's status and a pattern of its sentence. */
  readonly response: string | { readonly status: number; readonly error: RegExp };
}

/** OTLP's number for the kind of a server's span. */
const SERVER = 2;

const check = async (url: string, contractCase: ContractCase): Promise<void> => {
  const { request, response } = contractCase;
  const { status, text, headers } = await getText(url, request);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  if (typeof response === 'string') {
    expect({ status, text }).toEqual({ status: 200, text: response });
    return;
  }
  const error: unknown = expect.stringMatching(response.error);
  expect({ status, body: JSON.parse(text) as unknown }).toEqual({
    status: response.status,
    body: { success: false, error },
  });
};

/** Sends each case to two apis that serve one chain. One of them traces: tracing changes no answer. */
export const describeContract = (
  subject: string,
  cases: readonly ContractCase[],
  options?: ServedChainOptions,
): void => {
  describe(subject, () => {
    let served: ServedChain;
    let traced: TracedApi;
    beforeAll(async () => {
      served = await serveChain(options);
      traced = await startTracedApi(served.databaseUrl, options?.settings);
    });
    afterAll(async () => {
      await traced.stop();
      await served.stop();
    });

    it.each(cases)('$request: $name', (contractCase) => check(served.api.url, contractCase));

    it.each(cases)('$request with tracing: $name', (contractCase) => check(traced.url, contractCase));

    it('traces the requests to one of the two', async () => {
      await check(traced.url, cases[0]!);
      expect(await traced.collector.find(({ kind }) => kind === SERVER)).toMatchObject({ service: 'api' });
    });
  });
};
