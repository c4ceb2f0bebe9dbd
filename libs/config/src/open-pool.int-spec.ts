import { createEmptyDatabase, eventually, TcpProxy } from '@roundhouse/testing';
import { openPool } from './open-pool.js';

it('survives the loss of connections that are idle, in use, and in use without a statement', async () => {
  const database = await createEmptyDatabase();
  const proxy = await TcpProxy.before(database.url);
  const lost: string[] = [];
  const pool = openPool({ connectionString: proxy.url, max: 3 }, ({ message }) => lost.push(message));
  const clients = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
  clients[0].release();
  // Without a listener, an error that is emitted ends the process.
  for (const client of clients) expect(client.listenerCount('error')).toBeGreaterThan(0);
  const ended = clients.map((client) => new Promise((resolve) => client.once('end', resolve)));
  const asked = clients[1].query('SELECT pg_sleep(60)').then(
    () => '',
    (error: Error) => error.message,
  );
  await proxy.cut();
  await Promise.all(ended);
  expect(await asked).toMatch(/terminated|ECONNRESET/);
  await eventually('the idle one is told', () => lost.length > 0);
  expect(lost).toHaveLength(1);
  for (const client of clients.slice(1)) client.release(true);
  await pool.end();
  await database.drop();
});
