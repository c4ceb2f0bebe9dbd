import { recordingFile } from '@roundhouse/testing';
import { createBlockSource, openDelegatesSource } from './create-block-source.js';
import { loadNetwork } from './network/load-network.js';
import { failureOf, refusal } from './refusal.harness.js';

const archive = recordingFile('core-2.4', 'chain.ndjson.gz');

describe('createBlockSource', () => {
  it.each([
    ['', 'BLOCK_SOURCE is empty'],
    [' , ', 'BLOCK_SOURCE cannot be used with no scheme'],
    ['/path/without/a/scheme', 'cannot be used with no scheme: begin each address with http://'],
    ['mysql://user:s3cret@host/db', 'cannot be used with "mysql:": begin each address with http://'],
    ['http://user:s3cret@host:port', 'holds an address that cannot be read'],
    ['http://user:12/s3cret@host', 'its user and password are not recognised'],
    ['postgres:user:s3cret@host/db', 'its user and password are not recognised'],
    ['https://node.example,postgres//user:s3cret@host/db', 'its user and password are not recognised'],
    ['postgres://user:s3cret%@host/db', 'its % must be written as %25'],
    ['file:/blocks', 'file:/blocks does not report its chain: set NETWORK'],
    ['postgres://user:s3cret@host/db', 'postgres://host/db does not report its chain: set NETWORK'],
  ])('refuses "%s" in one sentence without the password', async (urls, message) => {
    const error = await failureOf(createBlockSource({ urls }));
    expect(error).toMatchObject(refusal(message, { name: 'SourceConfigError' }));
    expect(error.message).not.toContain('s3cret');
  });

  it('opens an archive for every form of its path', async () => {
    const network = await loadNetwork(recordingFile('core-2.4', 'network.json'));
    for (const urls of [`file:${archive}`, `file://${archive}`, ` FILE:${archive} `]) {
      const source = await createBlockSource({ urls, network });
      expect(await source.blocks(322, 330)).toHaveLength(1);
      await source.close();
    }
  });

  it('uses the next source if the first is unavailable', async () => {
    const network = await loadNetwork(recordingFile('core-2.4', 'network.json'));
    const source = await createBlockSource({
      urls: `http://127.0.0.1:1/api , file:${archive}`,
      network,
      attempts: 2,
      backoffMs: 1,
    });
    expect(await source.tip()).toMatchObject({ height: 322 });
    expect(source.name).toBe(`file:${archive}`);
    await source.close();
  });
});

describe('openDelegatesSource', () => {
  const failureFor = async (url: string): Promise<Error> => {
    const source = openDelegatesSource(url, { setting: '--against', onPause: () => undefined });
    return failureOf(source.tip().finally(() => source.close()));
  };

  it.each([
    ['postgres://user:s3cret@host/db', '--against must name the public API of a Core node'],
    ['http://user:s3cret@host:port', '--against holds an address that cannot be read'],
    ['http://user:12/s3cret@host', '--against holds an address that cannot be used'],
    ['http://127.0.0.1:1', 'Check that the node runs and that --against names it.'],
  ])('refers to its own option if "%s" was typed', async (url, message) => {
    const { message: said } = await failureFor(url).catch((error: unknown) => error as Error);
    expect(said).toContain(message);
    expect(said).not.toMatch(/BLOCK_SOURCE|s3cret/);
  });
});
