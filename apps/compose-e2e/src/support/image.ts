import { run } from './shell.js';

/** The base of the image, as the Dockerfile names it. */
const BASE = 'node:22-bookworm-slim';

/** Builds the image under a version; each label makes another image of the same content. */
export const buildImage = async (version: string, label: string): Promise<void> => {
  // The host's network, because some engines have no other way to the packages.
  const flags = ['--network', 'host', '--label', `test=${label}`, '-t', `roundhouse:${version}`];
  await run('docker', ['build', '-q', ...flags, '.'], {
    DOCKER_BUILDKIT: process.env['DOCKER_BUILDKIT'] ?? '',
  });
};

const sizeOf = async (image: string): Promise<number> =>
  Number(await run('docker', ['image', 'inspect', '-f', '{{.Size}}', image]));

/** In bytes. */
export const sizeOverBase = async (version: string): Promise<number> =>
  (await sizeOf(`roundhouse:${version}`)) - (await sizeOf(BASE));

/** Runs a command of the image's system in a container that nothing else shares. */
export const runInImage = (version: string, ...command: [string, ...string[]]): Promise<string> => {
  const [program, ...args] = command;
  return run('docker', [
    'run',
    '--rm',
    '--read-only',
    '--entrypoint',
    program,
    `roundhouse:${version}`,
    ...args,
  ]);
};
