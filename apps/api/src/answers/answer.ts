import type { ChainView } from '../chain/chain-view.js';
import { chainHeaders } from '../http/chain-headers.js';
import { CACHE_CONTROL, COMPRESSIBLE_HEADERS } from '../http/headers.js';
import { etagOf } from '../http/ready-bytes.js';
import type { Acceptance, Coding } from './acceptance.js';
import { AnswerForm } from './answer-form.js';
import type { Writing } from './answer-request.js';

/** Below, a coding saves less than the packet that is sent anyway. */
const COMPRESSED_FROM_BYTES = 1024;

/** An answer in the forms in which it was asked for. */
export class Answer {
  private readonly identity: AnswerForm;
  private readonly compressed = new Map<Coding, AnswerForm>();
  private readonly compressing = new Map<Coding, Promise<AnswerForm>>();

  /** @param basis what the answer was made from; it is good as long as that is the newest */
  constructor(
    text: string,
    readonly basis: object,
    view: ChainView,
    route: string,
    { contentType, headers: ownHeaders }: Pick<Writing<object>, 'contentType' | 'headers'>,
  ) {
    const body = Buffer.from(text);
    const etag = etagOf(body);
    const headers = [
      ...COMPRESSIBLE_HEADERS,
      ...CACHE_CONTROL,
      ...ownHeaders,
      ...chainHeaders(view.headOrNull),
    ];
    this.identity = new AnswerForm({ view, route, contentType, headers }, body, etag, null);
  }

  get sizeBytes(): number {
    return [...this.compressed.values()].reduce((sum, form) => sum + form.sizeBytes, this.identity.sizeBytes);
  }

  /** In which codings it was asked for. */
  get codings(): readonly Coding[] {
    return [...this.compressed.keys()];
  }

  /** The form for a client; where that has to be made first, the coding that it lacks. */
  formFor({ coding, takesIdentity }: Acceptance): AnswerForm | Coding {
    if (coding === null) return this.identity;
    if (takesIdentity && this.identity.body.length < COMPRESSED_FROM_BYTES) return this.identity;
    return this.compressed.get(coding) ?? coding;
  }

  /** Makes a form once, however many wait for it. */
  compress(coding: Coding): Promise<AnswerForm> {
    let compressing = this.compressing.get(coding);
    if (!compressing) {
      compressing = this.identity
        .compress(coding)
        .then((form) => {
          this.compressed.set(coding, form);
          return form;
        })
        .finally(() => this.compressing.delete(coding));
      this.compressing.set(coding, compressing);
    }
    return compressing;
  }
}
