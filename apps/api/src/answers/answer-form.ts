import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { ChainView } from '../chain/chain-view.js';
import { ReadyBytes, type Description } from '../http/ready-bytes.js';
import type { Coding } from './acceptance.js';

/** What a map entry and the headers cost beside the body, roughly. */
const OVERHEAD_BYTES = 1024;

/** Beyond it, an answer of a hundred blocks takes several times as long and comes out no smaller. */
const BROTLI_QUALITY = 4;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

const compressors: Readonly<Record<Coding, (body: Buffer) => Promise<Buffer>>> = {
  br: (body) =>
    compressBrotli(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  gzip: (body) => compressGzip(body),
};

/** What all forms of an answer have in common. */
interface Shared extends Description {
  readonly view: ChainView;
}

/** The tag of the same bytes in a coding: their own, as they are others. */
export const codedEtag = (etag: string, coding: Coding): string => etag.replace(/"$/, `-${coding}"`);

/** One form of an answer as ready bytes. */
export class AnswerForm extends ReadyBytes {
  constructor(
    private readonly shared: Shared,
    body: Buffer,
    etag: string,
    coding: Coding | null,
  ) {
    super(shared, body, etag, coding);
  }

  get view(): ChainView {
    return this.shared.view;
  }

  get sizeBytes(): number {
    return this.body.length + OVERHEAD_BYTES;
  }

  /** The same answer in another form; its tag is another one, as its bytes are. Off the event loop. */
  async compress(coding: Coding): Promise<AnswerForm> {
    const body = await compressors[coding](this.body);
    return new AnswerForm(this.shared, body, codedEtag(this.etag, coding), coding);
  }
}
