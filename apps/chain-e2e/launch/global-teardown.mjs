import { rm } from 'node:fs/promises';
import stopServers from '../../../tools/jest/global-teardown.mjs';

export default async () => {
  await stopServers();
  await rm(globalThis.roundhousePrograms, { recursive: true });
};
