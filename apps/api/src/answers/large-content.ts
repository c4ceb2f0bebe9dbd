import { ReadyJson } from '@roundhouse/dto';

/** Marks the place of the list's objects in JSON text, which never contains this character. */
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

  /** The text that `write` makes of the content, in two parts: before and after the objects of the list. */
  around(write: (content: T) => string): readonly [before: string, after: string] {
    const [before, after] = write(this.contentWith(ReadyJson.list(GAP))).split(GAP);
    return [before!, after!];
  }
}
