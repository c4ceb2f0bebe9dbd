import { run } from './shell.js';

/** The base image that the Dockerfile names. */
const BASE = 'node:24-bookworm-slim';

/** Builds the image with a version tag. Each label gives another image with the same content. */
export const buildImage = async (version: string, label: string): Promise<void> => {
  // The host's network, because some engines can reach the packages only from there.
  const flags = ['--network', 'host', '--label', `test=${label}`, '-t', `roundhouse:${version}`];
  await run('docker', ['build', '-q', ...flags, '.'], {
    DOCKER_BUILDKIT: process.env['DOCKER_BUILDKIT'] ?? '',
  });
};

const sizeOf = async (image: string): Promise<number> =>
  Number(await run('docker', ['image', 'inspect', '-f', '{{.Size}}', image]));

/** The size of an image in bytes. */
export const sizeOverBase = async (version: string): Promise<number> =>
  (await sizeOf(`roundhouse:${version}`)) - (await sizeOf(BASE));

/** Runs a command of the image in a new container. */
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
