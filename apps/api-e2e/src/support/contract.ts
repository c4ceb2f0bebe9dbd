import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getText } from './requests.js';
import { serveChain, type ServedChain, type ServedChainOptions } from './served-chain.js';

/** The exact text of an answer, or an error's status and a pattern of its sentence. */
type Response = string | readonly [status: number, error: RegExp];

/** What is special about a request, the request, and what the contract requires. */
export type ContractCase = readonly [what: string, request: string, response: Response];

export const expectResponse = async (url: string, request: string, response: Response): Promise<void> => {
  const { status, text, headers } = await getText(url, request);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  if (typeof response === 'string') {
    expect({ status, text }).toEqual({ status: 200, text: response });
    return;
  }
  const error: unknown = expect.stringMatching(response[1]);
  expect({ status, body: JSON.parse(text) as unknown }).toEqual({
    status: response[0],
    body: { success: false, error },
  });
};

/** Sends each case to an api that serves one chain. */
export const describeContract = (
  subject: string,
  cases: readonly ContractCase[],
  options?: ServedChainOptions,
): void => {
  describe(subject, () => {
    let served: ServedChain;
    beforeAll(async () => {
      served = await serveChain(options);
    });
    afterAll(() => served.stop());

    it.each(cases)('%s: %s', (_, request, response) => expectResponse(served.api.url, request, response));
  });
};
