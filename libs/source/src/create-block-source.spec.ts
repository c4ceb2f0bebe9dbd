import { recordingFile } from '@roundhouse/testing';
import { createBlockSource, openDelegatesSource } from './create-block-source.js';
import { SourceConfigError } from './errors/source-config.error.js';
import { loadNetwork } from './network/load-network.js';

const archive = recordingFile('core-2.4', 'chain.ndjson.gz');
const mistakeIn = (urls: string): Promise<unknown> =>
  createBlockSource({ urls }).catch((error: unknown) => error);

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
    const error = await mistakeIn(urls);
    expect(error).toBeInstanceOf(SourceConfigError);
    expect((error as Error).message).toContain(message);
    expect((error as Error).message).not.toContain('s3cret');
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
  const messageFor = async (url: string): Promise<string> => {
    try {
      const source = openDelegatesSource(url, { setting: '--against', onPause: () => undefined });
      await source.tip().finally(() => source.close());
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error(`${url} was accepted.`);
  };

  it.each([
    ['postgres://user:s3cret@host/db', '--against must name the public API of a Core node'],
    ['http://user:s3cret@host:port', '--against holds an address that cannot be read'],
    ['http://user:12/s3cret@host', '--against holds an address that cannot be used'],
    ['http://127.0.0.1:1', 'Check that the node runs and that --against names it.'],
  ])('refers to its own option if "%s" was typed', async (url, message) => {
    const said = await messageFor(url);
    expect(said).toContain(message);
    expect(said).not.toMatch(/BLOCK_SOURCE|s3cret/);
  });
});
