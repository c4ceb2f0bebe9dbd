import { Writable } from 'node:stream';
import { JobQueues, QueueName } from '@roundhouse/jobs';
import { randomChain } from '@roundhouse/testing';
import { pino, type Logger } from 'pino';
import { IndexerHarness, MemorySource, queueBackends } from '../indexer.harness.js';

const { network, blocks } = randomChain({ seed: 17, blocks: 40 });

describe.each(queueBackends)('a leader whose queues on %s bring nothing', (backend) => {
  let harness: IndexerHarness;
  let said: string[];
  let logger: Logger;

  beforeEach(async () => {
    harness = await IndexerHarness.create(backend);
    said = [];
    const log = new Writable({
      write: (line: Buffer, _encoding, done) => {
        said.push(line.toString());
        done();
      },
    });
    logger = pino({ level: 'warn' }, log);
  });

  afterEach(() => harness.close());

  const saysThatItStandsStill = (): boolean =>
    said.some((line) => line.includes('the index stands still') && line.includes('no job did the next work'));

  it('fetches the next range although a job holds it for a day that no process runs', async () => {
    const source = new MemorySource(blocks.slice(0, 20), network);
    const first = await harness.start(source);
    await harness.reach(blocks[19]!);
    await first.stop();
    await harness.strandJob(QueueName.Fetch, network.nethash, { from: 21, to: 30 });
    source.chain = blocks;
    await harness.start(source, {}, logger);
    await harness.reach(blocks.at(-1)!);
    expect(saysThatItStandsStill()).toBe(true);
  });

  it('asks, fetches and applies although no worker takes a job', async () => {
    const source = new MemorySource(blocks.slice(0, 20), network);
    const { app } = await harness.start(source, {}, logger);
    await harness.reach(blocks[19]!);
    await Promise.all(app.get(JobQueues).queues.map((queue) => queue.pause()));
    source.chain = blocks;
    await harness.reach(blocks.at(-1)!);
    expect(saysThatItStandsStill()).toBe(true);
  });
});
