import { once } from 'node:events';

export default async () => {
  const servers = globalThis.roundhouseTestServers;
  if (servers.exitCode !== null || servers.signalCode !== null) return;
  servers.removeAllListeners('exit');
  servers.disconnect();
  await once(servers, 'exit');
};
