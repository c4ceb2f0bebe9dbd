import { ReadyJson } from '@roundhouse/dto';

/** Stands for the objects of a list in a text of JSON, which never contains it. */
const GAP = '\0';

/** The content of an answer that has one list too large for memory. */
export class LargeContent<T extends object = object> {
  /**
   * @param contentWith the content around the list
   * @param read reads the objects of the list, separated by commas, at the head of the content; see `RowStreams.read`
   */
  constructor(
    private readonly contentWith: (list: ReadyJson) => T,
    readonly read: () => AsyncGenerator<Buffer, void, undefined>,
  ) {}

  /** What `write` makes of everything before and after the objects of the list. */
  around(write: (content: T) => string): readonly [before: string, after: string] {
    const [before, after] = write(this.contentWith(ReadyJson.list(GAP))).split(GAP);
    return [before!, after!];
  }
}
