import { expect, it } from '@jest/globals';

it('a thread that prepares blocks loads no entity, and so no TypeORM: that would take longer than the rest of its start', async () => {
  await expect(import('./prepare.worker.js')).rejects.toThrow('in a thread of its own');
  // Where TypeORM keeps what decorators say.
  expect(globalThis).not.toHaveProperty('typeormMetadataArgsStorage');
});
