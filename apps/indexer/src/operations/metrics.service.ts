import { InvalidBlockError } from '@roundhouse/chain';
import { ScrapedMetrics } from '@roundhouse/operations';
import { NodeProtocolError, NodeUnavailableError, type UnavailableKind } from '@roundhouse/source';
import { Counter, Histogram } from 'prom-client';
import type { BatchReport } from '../apply/apply-options.js';

/** Each starts at 0: Prometheus sees no increase in a series that starts at 1. */
const SOURCE_ERROR_KINDS = [
  'refused',
  'timeout',
  'unreachable',
  'rate-limited',
  'http-5xx',
  'moved',
  'protocol',
  'invalid-block',
] as const satisfies (UnavailableKind | 'protocol' | 'invalid-block')[];

/** What this process counts for Prometheus; `LiveMetrics` adds what is read at each scrape. */
export class Metrics extends ScrapedMetrics {
  /** Whether this process writes the index. */
  leads = false;

  private readonly blocks = this.total('roundhouse_blocks_applied_total', 'Blocks applied by this process.');
  private readonly transactions = this.total(
    'roundhouse_transactions_applied_total',
    'Transactions applied by this process.',
  );
  private readonly unknownTypes = this.total(
    'roundhouse_unknown_type_transactions_total',
    'Transactions applied by this process whose type is unknown, so that their ids cannot be recomputed.',
    ['type'],
  );
  private readonly misplaced = this.total(
    'roundhouse_misplaced_blocks_total',
    'Blocks that this process accepted, by FORGERS=active, although their forger has its slot in no list.',
  );
  private readonly brokenRules = this.total(
    'roundhouse_broken_rules_total',
    'Breaches of rules of the chain that this process accepted with a warning, by rule.',
    ['rule'],
  );
  private readonly batches = this.total('roundhouse_batches_total', 'Batches committed by this process.');
  private readonly seconds = this.total(
    'roundhouse_apply_seconds_total',
    'Time spent on batches: load (reading what they touch), apply (the ledger), commit (writing).',
    ['phase'],
  );
  private readonly posts = this.total(
    'roundhouse_webhook_posts_total',
    'Events that this process posted to webhooks, by outcome: accepted or failed.',
    ['outcome'],
  );
  private readonly forks = this.total('roundhouse_forks_total', 'Forks followed by this process.');
  private readonly undone = this.total('roundhouse_blocks_undone_total', 'Blocks undone by this process.');
  private readonly depths = new Histogram({
    name: 'roundhouse_fork_depth_blocks',
    help: 'Blocks that a fork undid.',
    buckets: [1, 2, 5, 10, 51, 200, 1_000],
    registers: [this.registry],
  });
  private readonly sourceErrors = this.total(
    'roundhouse_source_errors_total',
    'Answers of the source that could not be used, by kind.',
    ['kind'],
  );

  private readonly unknownRules = new Map<string, number>();
  private readonly counted = new WeakSet<Error>();

  constructor() {
    super();
    for (const phase of ['load', 'apply', 'commit']) this.seconds.inc({ phase }, 0);
    for (const kind of SOURCE_ERROR_KINDS) this.sourceErrors.inc({ kind }, 0);
    for (const outcome of ['accepted', 'failed']) this.posts.inc({ outcome }, 0);
  }

  countBatch(report: BatchReport): void {
    const { blocks, transactions, unknownTypes, misplaced, warned, loadMs, applyMs, commitMs } = report;
    this.batches.inc();
    this.blocks.inc(blocks);
    this.transactions.inc(transactions);
    this.misplaced.inc(misplaced.length);
    for (const [type, count] of unknownTypes) this.unknownTypes.inc({ type }, count);
    for (const [rule, { count }] of warned) this.brokenRules.inc({ rule }, count);
    this.seconds.inc({ phase: 'load' }, loadMs / 1_000);
    this.seconds.inc({ phase: 'apply' }, applyMs / 1_000);
    this.seconds.inc({ phase: 'commit' }, commitMs / 1_000);
  }

  /** Notes from which height on a source announces rules that the index does not have; null if it announces none. */
  noteUnknownRules(source: string, from: number | null): void {
    if (from === null) this.unknownRules.delete(source);
    else this.unknownRules.set(source, from);
  }

  /** The lowest height from which a source announces such rules. */
  get unknownRulesHeight(): number | undefined {
    return this.unknownRules.size === 0 ? undefined : Math.min(...this.unknownRules.values());
  }

  countPost(outcome: 'accepted' | 'failed'): void {
    this.posts.inc({ outcome });
  }

  countFork(depth: number): void {
    this.forks.inc();
    this.undone.inc(depth);
    this.depths.observe(depth);
  }

  /** Counts each error once, even if it is reported several times. Errors that do not come from the source do not count. */
  countSourceError(error: Error): void {
    if (this.counted.has(error)) return;
    this.counted.add(error);
    if (error instanceof NodeUnavailableError) this.sourceErrors.inc({ kind: error.kind });
    else if (error instanceof NodeProtocolError) this.sourceErrors.inc({ kind: 'protocol' });
    else if (error instanceof InvalidBlockError) this.sourceErrors.inc({ kind: 'invalid-block' });
  }

  private total<Label extends string = never>(
    name: string,
    help: string,
    labelNames: Label[] = [],
  ): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }
}
