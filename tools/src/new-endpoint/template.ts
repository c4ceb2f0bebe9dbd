/** A change of one file, as a person makes it who adds an endpoint. */
export interface Change {
  readonly file: string;
  /** The whole text, if the file is new. */
  readonly text?: string;
  /** New first lines. */
  readonly imports?: string;
  /** Each text goes before the first place of the file that has its anchor. */
  readonly before?: Readonly<Record<string, string>>;
}

/** Files that `npm run generate` changes. */
export const GENERATED: readonly string[] = ['docs/openapi.json', 'libs/client/src/generated/api.ts'];

/** The example: `GET /api/delegates/{delegate}/voterCount?leastBalance=…`, with an SQL statement of its own. */
export const CHANGES: readonly Change[] = [
  {
    file: 'libs/dto/src/delegates.dto.ts',
    imports: `import { amountText } from './parameters.js';\n`,
    before: {
      'export class NextForgersResponseDto': `export class VoterCountQueryDto extends queryDto({
  leastBalance: amountText('The least balance of a voter that counts, in arktoshi.').optional(),
}) {}

export class VoterCountResponseDto extends responseDto({
  count: integer('Number of its voters with at least this balance.'),
}) {}

`,
    },
  },
  {
    file: 'libs/readers/src/delegates.reader.ts',
    imports: `import { delegateBy } from './delegate-parts.js';\n`,
    before: {
      '/** Arktoshi. */': `/** $1, $2: the head; $3, $4: public key and username, one of them null; $5: the least balance. */
const COUNT_VOTERS = selectAtHead(
  'delegate-voter-count',
  'd.username IS NOT NULL AS is_found, v.count',
  \`\${delegateBy('$3', '$4', 'h.height')}
CROSS JOIN LATERAL (SELECT count(*)::integer AS count FROM accounts a WHERE a.vote = d.public_key AND a.balance >= $5) v\`,
);

`,
      '  async findForged(': `  /** Null if there is no such delegate. */
  async countVoters(at: BlockRef, name: DelegateName, leastBalance: string): Promise<number | null> {
    type Row = { readonly is_found: boolean; readonly count: number };
    const row = await this.row<Row>(at, COUNT_VOTERS, ...nameValues(name), leastBalance);
    return row.is_found ? row.count : null;
  }

`,
    },
  },
  {
    file: 'apps/api/src/delegates/delegates.controller.ts',
    imports: `import { VoterCountQueryDto, VoterCountResponseDto } from '@roundhouse/dto';\n`,
    before: {
      "  @Get('get')": `  @Get(':delegate/voterCount')
  @Answers(VoterCountResponseDto, {
    summary: 'Number of voters of a delegate with at least this balance',
    finds: 'delegate',
  })
  countVoters(@Param() { delegate }: DelegatePathDto, @Query() { leastBalance = '0' }: VoterCountQueryDto) {
    return async ({ head }: ChainView) => {
      const count = await this.delegates.countVoters(head, delegateNamed(delegate), leastBalance);
      if (count === null) throw new NotFoundError(NO_DELEGATE);
      return { count, success: true };
    };
  }

`,
    },
  },
  {
    file: 'apps/api-e2e/src/voter-count.int-spec.ts',
    text: `import { describeContract } from './support/contract.js';

describeContract('voterCount', [
  ['all with a balance', '/api/delegates/Genesis%252/voterCount', '{"count":4,"success":true}'],
  ['the largest', '/api/delegates/Genesis%252/voterCount?leastBalance=8', '{"count":1,"success":true}'],
  ['no such delegate', '/api/delegates/nobody/voterCount', [404, /no delegate/]],
  ['no amount', '/api/delegates/Genesis%252/voterCount?leastBalance=x', [400, /"leastBalance"/]],
]);
`,
  },
];
