export interface KnownCase {
  /** One character per byte. */
  readonly sent: string;
  /** The statuses of the responses, in order. */
  readonly statuses: readonly number[];
  /** The methods of the requests, if they are not all GET. */
  readonly methods?: readonly string[];
}

const HOST = 'Host: here\r\n';
const READY = '/api/blocks/getMilestone';
const get = (target: string, headers = HOST): string => `GET ${target} HTTP/1.1\r\n${headers}\r\n`;

/** Every request that was ever answered wrongly, as it was sent. */
export const KNOWN_CASES: readonly KnownCase[] = [
  // An Expect header that Node would refuse by itself, without a body.
  { sent: get('/api/delegates/count', `Expect: 200-maybe\r\n${HOST}`), statuses: [200] },
  { sent: get('/api/delegates/count', `Expect:\r\n${HOST}`), statuses: [200] },
  // A HEAD that the parser cannot read: the error had a body.
  {
    sent: `HEAD /api/delegates?orderBy=rank desc HTTP/1.1\r\n${HOST}\r\n`,
    statuses: [400],
    methods: ['HEAD'],
  },
  {
    sent: `${get(READY)}HEAD /api/blocks?a b HTTP/1.1\r\n${HOST}\r\n`,
    statuses: [200, 400],
    methods: ['GET', 'HEAD'],
  },
  // The page was sent with some headers twice.
  { sent: get('/search?q=[]'), statuses: [200] },
  // A Host that is no host, and two Hosts.
  { sent: get(READY, HOST + HOST), statuses: [400] },
  { sent: get(READY, 'Host: a b/<>\r\n'), statuses: [400] },
  { sent: get('/docs', `${HOST}host: there\r\n`), statuses: [400] },
  // A Kelvin sign, whose lower case is k.
  { sent: get('/api/bloc%E2%84%AAs'), statuses: [404] },
  // Unreadable bytes after a request: an error was sent instead of the answer to the request, and the line of the request
  // decided which error.
  { sent: `${get(READY)}hello\r\n\r\n`, statuses: [200, 400] },
  { sent: `${get('/api/blocks?limit=77')}\x16\x03\x01`, statuses: [200, 400] },
  { sent: `${get('/api/blocks?limit=78')}FOO /nothing HTTP/1.1\r\n${HOST}\r\n`, statuses: [200, 404] },
  { sent: `${get('/api/blocks?limit=79')}CONNECT here:443 HTTP/1.1\r\n${HOST}\r\n`, statuses: [200, 404] },
  { sent: `${get(READY, `${HOST}Connection: close\r\n`)}hello\r\n\r\n`, statuses: [200] },
  // The absolute form without a path.
  { sent: get('http://here'), statuses: [200] },
  { sent: get('http://here?x=1'), statuses: [200] },
  // Conditions and ranges of the documentation's files.
  { sent: get('/docs/swagger-ui.css', `Range: bytes=99999999-\r\n${HOST}`), statuses: [416] },
  { sent: get('/docs/swagger-ui.css', `If-Match: "x"\r\n${HOST}`), statuses: [412] },
  { sent: get('/docs/../package.json'), statuses: [403] },
];
