import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getText } from './requests.js';
import { serveChain, type ServedChain, type ServedChainOptions } from './served-chain.js';

/** One request and the answer that the contract has for it. */
export interface ContractCase {
  readonly name: string;
  readonly request: string;
  /** The answer's exact text, or the status of an error with what its sentence must say. */
  readonly response: string | { readonly status: number; readonly error: RegExp };
}

const check = async (url: string, { request, response }: ContractCase): Promise<void> => {
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

/** Runs each case against one served chain. */
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

    it.each(cases)('$request: $name', (contractCase) => check(served.api.url, contractCase));
  });
};
