import { Injectable } from '@nestjs/common';
import {
  entryOf,
  epochOf,
  heightsBetween,
  STATEMENT_CSV_HEADER,
  statementCsvEnds,
  statementCsvLine,
  type StatementEntry,
} from '@roundhouse/chain';
import {
  InvalidRequestError,
  ReadyJson,
  StatementEntryDto,
  writeAnswer,
  type StatementQueryDto,
  type StatementResponseDto,
} from '@roundhouse/dto';
import { StatementsReader } from '@roundhouse/readers';
import { LargeContent, LastingContent, type Content, type Writing } from '../answers/answer-request.js';
import { noBlockYet, NotFoundError } from '../answers/errors.js';
import { CSV_TYPE } from '../answers/headers.js';
import type { ChainView } from '../chain/chain-tracker.service.js';

/** Amounts in arktoshi. */
export const STATEMENT_AS_CSV: Writing<StatementResponseDto> = {
  contentType: CSV_TYPE,
  write: (statement) => {
    const [opening, closing] = statementCsvEnds(statement);
    return `${STATEMENT_CSV_HEADER}\n${opening}\n${statement.entries.text.slice(1, -1)}${closing}\n`;
  },
};

/** How the entries of a format follow each other. */
const FORMATS = {
  json: { separator: ',', write: (entry: StatementEntry) => writeAnswer(StatementEntryDto, entry) },
  csv: { separator: '', write: (entry: StatementEntry) => `${statementCsvLine(entry)}\n` },
} as const;

@Injectable()
export class StatementsService {
  constructor(private readonly reader: StatementsReader) {}

  /** Streamed, unless nothing changed. Throws `NotFoundError` and `InvalidRequestError`. */
  async getStatement(
    chain: ChainView,
    address: string,
    { from: first, to: last, format }: StatementQueryDto,
  ): Promise<Content<StatementResponseDto>> {
    chain.assertListIndexes();
    const { head } = chain;
    const findHeight = (time: number) => this.reader.findHeight(head, time);
    const range = await heightsBetween(first, last, head.height, epochOf(chain.constants), findHeight);
    if (range === 'reversed') throw new InvalidRequestError('The parameter "from" must not be after "to".');
    if ('above' in range) throw noBlockYet(range.above, head);
    const ends = await this.reader.findEnds(head, address, range);
    if (!ends) throw new NotFoundError('There is no account with this address, public key or username.');
    const { opening, closing } = ends;
    const found = { address, ...range, opening, closing };
    const contentWith = (entries: ReadyJson): StatementResponseDto => ({ ...found, entries, success: true });
    const content =
      ends.entries === 0
        ? contentWith(ReadyJson.list(''))
        : new LargeContent(contentWith, () => this.write(chain, address, range, opening, format), true);
    // The head and a day can still get blocks.
    const hasEnded = last !== undefined && ('height' in last || range.to < ends.lowestHead);
    return hasEnded && range.to <= ends.lowestHead ? new LastingContent(content) : content;
  }

  private async *write(
    { head, addresses, constants }: ChainView,
    address: string,
    range: { readonly from: number; readonly to: number },
    opening: bigint,
    format: StatementQueryDto['format'],
  ): AsyncGenerator<Buffer, void, undefined> {
    const epoch = epochOf(constants);
    const { separator, write } = FORMATS[format];
    let isFirst = true;
    for await (const rows of this.reader.listEntries(head, address, range, opening)) {
      if (rows.length === 0) continue;
      const entries = rows.map((row) => write(entryOf(row, addresses, epoch)));
      yield Buffer.from(`${isFirst ? '' : separator}${entries.join(separator)}`);
      isFirst = false;
    }
  }
}
