import autocannon from 'autocannon';

export interface Load {
  readonly requestsPerSecond: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

export const CONNECTIONS = 32;

/** Sends requests as fast as they are answered. `pathOf` returns the path of the n-th request. Throws if one fails. */
export const fire = async (
  url: string,
  pathOf: (n: number) => string,
  seconds: number,
  connections = CONNECTIONS,
): Promise<Load> => {
  let n = 0;
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: [{ method: 'GET', setupRequest: (request) => ({ ...request, path: pathOf((n += 1)) }) }],
  });
  if (result.errors > 0 || result.non2xx > 0) {
    throw new Error(`${url}${pathOf(1)}: ${result.errors} errors, ${result.non2xx} answers outside 2xx.`);
  }
  return {
    requestsPerSecond: result['2xx'] / result.duration,
    // autocannon has no 95th percentile; the 97.5th is the next one above.
    p95Ms: result.latency.p97_5,
    p99Ms: result.latency.p99,
  };
};
