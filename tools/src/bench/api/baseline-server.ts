import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { readParameters } from './parameters.js';
import { ROUTES } from './routes.js';

// A separate process with a bare `node:http` server. `/constant` answers with the body that it was given.
// `/query/<route>` runs the route's bare prepared query and answers with its rows.

export interface ConstantAnswer {
  readonly body: string;
  /** Without the length. */
  readonly headers: readonly string[];
}

const MAX_CONNECTIONS = 8;

const databaseUrl = process.argv[2]!;
const pool = new pg.Pool({ connectionString: databaseUrl, max: MAX_CONNECTIONS });
const parameters = await readParameters(databaseUrl);

let headers: readonly string[] = [];
let constant = Buffer.from('');
let counter = 0;

const answer = (response: ServerResponse, body: Buffer): void => {
  response.writeHead(200, [...headers, 'content-length', String(body.length)]);
  response.end(body);
};

const answerRows = async (route: number, response: ServerResponse): Promise<void> => {
  const { text, values } = ROUTES[route]!;
  const { rows } = await pool.query({
    name: `route-${route}`,
    text,
    values: [...values((counter += 1), parameters)],
  });
  answer(response, Buffer.from(JSON.stringify(rows)));
};

const server = createServer((request, response) => {
  const url = request.url!;
  if (url === '/constant') return answer(response, constant);
  answerRows(Number(url.slice('/query/'.length)), response).catch((error: Error) =>
    response.writeHead(500).end(error.message),
  );
}).listen(0, '127.0.0.1');

process.on('message', (given: ConstantAnswer) => {
  constant = Buffer.from(given.body);
  ({ headers } = given);
  process.send!('ready');
});
process.on('disconnect', () => process.exit(0));
await once(server, 'listening');
process.send!((server.address() as AddressInfo).port);
