import { expect, jest } from '@jest/globals';
import type { Statement } from '@roundhouse/readers';
import pg from 'pg';
import { answersOf, listFailed } from './answers-of.js';
import { startApi } from './api-under-test.js';
import { everyRequest } from './every-request.js';

const isStatement = (sent: unknown): sent is Statement =>
  typeof sent === 'object' && sent !== null && 'text' in sent && !('submit' in sent);

/** The statements that an api sends for the requests to all its endpoints, each of which must be answered. Lists that are streamed are not among them. */
export const sentStatements = async (databaseUrl: string): Promise<readonly Statement[]> => {
  const api = await startApi(databaseUrl);
  const sending = jest.spyOn(pg.Client.prototype, 'query');
  try {
    expect(listFailed(await answersOf(api.url, await everyRequest(api.url)))).toEqual([]);
    const sent: unknown[] = sending.mock.calls.map(([statement]) => statement as unknown);
    const statements = new Map<string, Statement>();
    for (const { text, values = [] } of sent.filter(isStatement))
      statements.set(JSON.stringify([text, values.map(String)]), { text, values });
    return [...statements.values()];
  } finally {
    sending.mockRestore();
    await api.close();
  }
};
