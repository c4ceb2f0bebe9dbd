import { expect, jest } from '@jest/globals';
import type { Statement } from '@roundhouse/readers';
import pg from 'pg';
import { answersOf, listFailed } from './answers-of.js';
import { startApi } from './api-under-test.js';
import { everyRequest } from './every-request.js';

const isStatement = (sent: unknown): sent is Statement =>
  typeof sent === 'object' && sent !== null && 'text' in sent && !('submit' in sent);

export interface Sent {
  readonly requests: readonly string[];
  readonly statements: readonly Statement[];
}

/**
 * The statements that an api sends for the requests to all its endpoints, each of which must be answered. Lists that are
 * streamed are not among them. Requests that are given may be refused with 503.
 */
export const sentStatements = async (
  databaseUrl: string,
  given: readonly string[] | null = null,
): Promise<Sent> => {
  const api = await startApi(databaseUrl);
  const sending = jest.spyOn(pg.Client.prototype, 'query');
  try {
    const requests = given ?? (await everyRequest(api.url));
    // One after another: of an account with millions of entries, a client gets only a few statements at once.
    const failed = listFailed(await answersOf(api.url, requests, 1));
    expect(failed.filter(({ status }) => given === null || status !== 503)).toEqual([]);
    const sent: unknown[] = sending.mock.calls.map(([statement]) => statement as unknown);
    const statements = new Map<string, Statement>();
    for (const { text, values = [] } of sent.filter(isStatement))
      statements.set(JSON.stringify([text, values.map(String)]), { text, values });
    return { requests, statements: [...statements.values()] };
  } finally {
    sending.mockRestore();
    await api.close();
  }
};
