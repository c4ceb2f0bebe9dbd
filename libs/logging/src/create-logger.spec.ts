import { describe, expect, it, jest } from '@jest/globals';
import { createLogger } from './create-logger.js';
import { nestLogger } from './nest-logger.js';

describe('the logger', () => {
  it('writes JSON if the output is not a terminal', async () => {
    const logger = await createLogger('info', false);
    expect(logger.isLevelEnabled('debug')).toBe(false);
    expect(logger.bindings()).toEqual({});
  });

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
