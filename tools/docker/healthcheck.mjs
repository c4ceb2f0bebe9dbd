// The image's health check: asks the program of this container on its internal port whether it is ready.
import { readFileSync } from 'node:fs';

const { DEVNET_PORT = '4200', OPS_PORT, HOST = '0.0.0.0' } = process.env;

const PATHS = {
  api: `${OPS_PORT ?? '4103'}/health/ready`,
  indexer: `${OPS_PORT ?? '4104'}/health/ready`,
  devnet: `${DEVNET_PORT}/api/node/status`,
};

// Process 1 is the program itself, or an init that has the entry point among its arguments.
const [, program] =
  /(?:entrypoint\.sh\0|apps\/)(api|indexer|devnet)\b/.exec(readFileSync('/proc/1/cmdline', 'utf8')) ?? [];

// The other commands do one thing and exit: while they run, they are healthy.
if (program !== undefined) {
  const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST;
  try {
    const response = await fetch(`http://${host.includes(':') ? `[${host}]` : host}:${PATHS[program]}`);
    console.log((await response.text()).slice(0, 400));
    process.exitCode = response.ok ? 0 : 1;
  } catch ({ message, cause }) {
    console.log(`The ${program} does not answer: ${cause?.message ?? message}`);
    process.exitCode = 1;
  }
}
