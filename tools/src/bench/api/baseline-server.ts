import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { readParameters } from './parameters.js';
import { ROUTES } from './routes.js';

// A separate process with a bare `node:http` server. `/constant` answers with the body that it was given.
// `/query/<route>` runs the route's bare prepared query and answers with its rows.

export interface ConstantAnswer {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const MAX_CONNECTIONS = 8;

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  );

const databaseUrl = process.argv[2]!;
const pool = new pg.Pool({ connectionString: databaseUrl, max: MAX_CONNECTIONS });
const parameters = await readParameters(databaseUrl);

let headers: string[] = [];
let constant = Buffer.from('');
let counter = 0;

const answerRows = async (route: number, response: ServerResponse): Promise<void> => {
  const { text, values } = ROUTES[route]!.query;
  const { rows } = await pool.query({
    name: `route-${route}`,
    text,
    values: [...values((counter += 1), parameters)],
  });
  const body = Buffer.from(JSON.stringify(rows));
  response.writeHead(200, [...headers, 'content-length', String(body.length)]);
  response.end(body);
};

const server = createServer((request, response) => {
  const url = request.url!;
  if (url === '/constant') {
    response.writeHead(200, headers);
    response.end(constant);
    return;
  }
  answerRows(Number(url.slice('/query/'.length)), response).catch((error: Error) => {
    response.writeHead(500);
    response.end(error.message);
  });
});

process.on('message', (answer: ConstantAnswer) => {
  constant = Buffer.from(answer.body);
  headers = Object.entries(answer.headers).flat();
  process.send!('ready');
});
process.on('disconnect', () => process.exit(0));
process.send!({ port: await listen(server) });
