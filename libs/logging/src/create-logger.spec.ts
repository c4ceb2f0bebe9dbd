import { describe, expect, it, jest } from '@jest/globals';
import { createLogger } from './create-logger.js';
import { LineWriter } from './line-writer.js';
import { nestLogger } from './nest-logger.js';

describe('the logger', () => {
  it('writes JSON if the output is not a terminal', async () => {
    const logger = await createLogger('info', false);
    expect(logger.isLevelEnabled('debug')).toBe(false);
    expect(logger.bindings()).toEqual({});
  });

  it.each([true, false])(
    'writes nothing that a terminal takes for a command (on a terminal: %s)',
    async (isTerminal) => {
      const written: string[] = [];
      const write = jest
        .spyOn(LineWriter.prototype, 'write')
        .mockImplementation((line) => void written.push(line));
      try {
        const logger = await createLogger('info', isTerminal);
        logger.warn({ source: 'node\u001b[2J', err: new Error('no\u0007') }, 'a\u009b2J\nb');
      } finally {
        write.mockRestore();
      }
      const text = written.join('');
      // The colours are our own.
      // eslint-disable-next-line no-control-regex -- control characters are what it is about
      expect(text.replace(/\u001b\[\d*m/g, '')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
      expect(text).toContain(isTerminal ? 'a\\u009b2J\\u000ab' : 'a\\u009b2J\\nb');
    },
  );

  it.each(['Error: listen EADDRINUSE: address already in use :::4000', 'Error: getaddrinfo ENOTFOUND here'])(
    'leaves "%s" of Nest to the sentence about the port',
    async (message) => {
      const logger = await createLogger('silent', false);
      const error = jest.spyOn(logger, 'error');
      const debug = jest.spyOn(logger, 'debug');
      nestLogger(logger).error(message, 'NestApplication');
      expect(error).not.toHaveBeenCalled();
      expect(debug).toHaveBeenCalledWith({ context: 'NestApplication' }, message);
    },
  );

  it("logs Nest's own lines at debug and its errors as errors", async () => {
    const logger = await createLogger('silent', false);
    const debug = jest.spyOn(logger, 'debug');
    const error = jest.spyOn(logger, 'error');
    const nest = nestLogger(logger);
    nest.log('mapped', 'Router');
    nest.error('failed', 'stack', 'Router');
    expect(debug).toHaveBeenCalledWith({ context: 'Router' }, 'mapped');
    expect(error).toHaveBeenCalledWith({ context: 'Router' }, 'failed');
  });
});
