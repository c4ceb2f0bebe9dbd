// Calls methods of the clients that are installed in the current folder. It runs in a process of its own: jest would load
// the TypeScript sources that the packages also contain.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const load = createRequire(join(process.cwd(), 'package.json'));
const DEVNET = 1;

/** Answers in the models of ark-ts. */
const askArkTs = (url, group, method, args) => {
  const { hostname: ip, port } = new URL(url);
  const { Client } = load('ark-ts');
  const { Network } = load('ark-ts/model');
  const address = { activePeer: { ip, port: Number(port) }, apiPort: Number(port), p2pPort: Number(port) };
  const client = new Client(Object.assign(Network.getDefault(DEVNET), address, { isV2: false }));
  return client[group][method](...args).toPromise();
};

/** Answers as @arkecosystem/client received them. */
const askArkClient = async (url, group, method, args) => {
  const Client = load('@arkecosystem/client');
  const { data } = await new Client(url, 1).resource(group)[method](...args);
  return data;
};

const CLIENTS = { 'ark-ts': askArkTs, '@arkecosystem/client': askArkClient };

process.on('message', ({ client, url, group, method, args }) => {
  CLIENTS[client](url, group, method, args).then(
    (answer) => process.send({ answer }),
    (error) => process.send({ error: error.stack }),
  );
});
