// Calls methods of the programs that are installed in its own folder. It runs in a process of its own: jest would load the
// TypeScript sources that the packages also contain.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const DEVNET = 1;

const hostOf = (url) => {
  const { hostname: ip, port } = new URL(url);
  return { ip, port: Number(port) };
};

/** Answers in the models of ark-ts. */
const askArkTs = (url, group, method, args) => {
  const { ip, port } = hostOf(url);
  const { Client } = load('ark-ts');
  const { Network } = load('ark-ts/model');
  const address = { activePeer: { ip, port }, apiPort: port, p2pPort: port };
  const client = new Client(Object.assign(Network.getDefault(DEVNET), address, { isV2: false }));
  return client[group][method](...args).toPromise();
};

/** Answers as the client of version 1 received them. */
const askClientOfVersion1 = async (url, group, method, args) => {
  const Client = load('@arkecosystem/client-of-version-1');
  const { data } = await new Client(url, 1).resource(group)[method](...args);
  return data;
};

/** Answers as the client received them, with their status. */
const askClient = async (url, group, method, args) => {
  const { Connection } = load('@arkecosystem/client');
  const { status, body } = await new Connection(`${url}/api`).api(group)[method](...args);
  return { status, body };
};

/** The coin of the SDK for a node, with a plain client for HTTP: the SDK leaves the choice of one to the wallet. */
const coinAt = async (url) => {
  const { Coins, Http, ARK } = load('./sdk.cjs');
  class Fetch extends Http.AbstractRequest {
    async send(method, address, { data, query }) {
      const target = new URL(address);
      for (const [name, value] of Object.entries(query ?? {})) target.searchParams.set(name, value);
      const init = { method, headers: this._options.headers, ...(data && { body: JSON.stringify(data) }) };
      const response = await fetch(target, init);
      const headers = Object.fromEntries(response.headers);
      return new Http.Response({ body: await response.text(), headers, statusCode: response.status });
    }
  }
  const coin = Coins.CoinFactory.make(ARK, {
    network: 'ark.devnet',
    networks: { 'ark.devnet': { currency: { decimals: 8, symbol: 'TѦ', ticker: 'TARK' } } },
    httpClient: new Fetch(),
    hostSelector: () => ({ type: 'full', host: `${url}/api` }),
    ledgerTransportFactory: () => Promise.reject(new Error('There is no Ledger here.')),
  });
  await coin.__construct();
  return coin;
};

/** Models of the SDK as plain objects: numbers of any size become text. */
const plain = (value) => {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if (typeof value.items === 'function')
    return { items: plain(value.items()), next: value.nextPage(), last: value.lastPage() };
  if (typeof value.plus === 'function') return value.toString();
  if (typeof value.toISOString === 'function') return value.toISOString();
  if (typeof value.toObject === 'function') return plain(value.toObject());
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
};

const askSdk = async (url, service, method, args) =>
  plain(await (await coinAt(url))[service]()[method](...args));

/** A method of the gateway that exchanges run in front of a node. */
const askGateway = async (url, group, method, args) => {
  // What it signs is kept by a native module, which is not compiled here. Reading does not need it.
  const signed = load.resolve('better-sqlite3');
  load.cache[signed] = { id: signed, filename: signed, loaded: true, exports: class {} };
  const { startServer } = load('@arkecosystem/exchange-json-rpc/dist/server');
  const { ip, port } = hostOf(url);
  const options = { network: 'testnet', peer: ip, peerPort: port, maxLatency: 1000, allowRemote: true };
  const server = await startServer({ host: '127.0.0.1', port: 0, ...options }, true);
  const payload = { jsonrpc: '2.0', id: 1, method: `${group}.${method}`, params: args[0] ?? {} };
  const headers = { 'content-type': 'application/vnd.api+json' };
  const { result } = await server.inject({ method: 'POST', url: '/', headers, payload });
  return result;
};

const PROGRAMS = {
  'ark-ts': askArkTs,
  'client of version 1': askClientOfVersion1,
  client: askClient,
  sdk: askSdk,
  gateway: askGateway,
};

process.on('message', ({ program, url, group, method, args }) => {
  PROGRAMS[program](url, group, method, args).then(
    (answer) => process.send({ answer }),
    (error) => process.send({ error: error.stack }),
  );
});
