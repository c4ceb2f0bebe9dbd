import { appendFileSync, chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AppProcess, freePorts, statusOf, type AppName } from '@roundhouse/local-postgres';
import { eventually, findRedis, SeededRandom } from '@roundhouse/testing';
import { FIRST_HEIGHT, type StackPlan } from '../plan/stack-plan.js';
import { Clock } from './clock.js';
import { Devnet } from './devnet.js';
import { Postgres } from './postgres.js';
import { Program, type SelfEnded } from './program.js';
import { Redis } from './redis.js';
import { WebhookReceiver } from './webhook-receiver.js';

const CLOCK_PRELOAD = new URL('./clock-preload.js', import.meta.url).href;

/** About 200 MiB is normal. */
const MOST_MIB = 400;
const CATCH_UP_MS = 120_000;

const SOURCES: Readonly<Record<StackPlan['sources'], (devnet: Devnet) => readonly string[]>> = {
  one: ({ url }) => [url],
  'two, the first misbehaves': ({ url, wellBehavedUrl }) => [url, wellBehavedUrl],
  'two, the second misbehaves': ({ url, wellBehavedUrl }) => [wellBehavedUrl, url],
};

export interface WorldOptions {
  readonly plan: StackPlan;
  readonly folder: string;
  readonly onSelfEnded: (ended: SelfEnded) => void;
  /** Called with each problem that a disturbance finds. */
  readonly onProblem: (problem: string) => void;
}

/** All processes of one run. */
export class World {
  readonly indexers: readonly Program[];
  readonly api: Program;
  readonly apiUrl: string;
  readonly receiver: WebhookReceiver;
  private readonly node: Program;
  private readonly clocks = new Map<string, Clock>();

  private constructor(
    readonly options: WorldOptions,
    readonly devnet: Devnet,
    readonly postgres: Postgres,
    readonly redis: Redis | null,
    ports: readonly number[],
  ) {
    const { plan } = options;
    const [apiPort, ...operationsPorts] = ports.slice(2).map(String);
    const operationsUrl = (index: number): string => `http://127.0.0.1:${operationsPorts[index]}`;
    const indexer = (index: number): Program =>
      this.program('indexer', `indexer ${index + 1}`, operationsUrl(index), {
        DATABASE_URL: postgres.url,
        BLOCK_SOURCE: SOURCES[plan.sources](devnet).join(','),
        ...(redis ? { REDIS_URL: redis.url } : {}),
        VERIFY: plan.verify,
        HISTORY: plan.history,
        APPLY_BATCH_BLOCKS: String(plan.batchBlocks),
        POLL_INTERVAL_MS: '250',
        OPS_PORT: operationsPorts[index],
        CORE_WEBHOOKS_PORT: String(ports[index]),
        CORE_WEBHOOKS_TARGETS: 'any',
      });
    this.receiver = new WebhookReceiver(SeededRandom.of(plan.seed, 'receiver'));
    this.indexers = [indexer(0), indexer(1)];
    this.apiUrl = `http://127.0.0.1:${apiPort}`;
    this.api = this.program('api', 'api', this.apiUrl, {
      DATABASE_URL: postgres.url,
      PORT: apiPort,
      OPS_PORT: operationsPorts[2],
    });
    this.node = this.program('devnet', 'devnet', devnet.url, {
      DATA_DIR: options.folder,
      DEVNET_PORT: new URL(devnet.url).port,
      DEVNET_SEED: `simulate ${plan.seed}`,
      DEVNET_HISTORY: String(FIRST_HEIGHT),
      DEVNET_CONTROL: 'true',
    });
  }

  /**
   * Starts everything and waits until the api has the chain's head. All processes end with `stop` or with this
   * process.
   */
  static async start(options: WorldOptions, onWorld: (world: World) => void): Promise<World> {
    const { plan, folder, onSelfEnded } = options;
    mkdirSync(join(folder, 'logs'), { recursive: true });
    // The database's user must be able to enter its own folder.
    chmodSync(folder, 0o711);
    const [postgresPort, redisPort, nodePort, ...ports] = await freePorts(9);
    const postgres = new Postgres(join(folder, 'postgres'), postgresPort!, join(folder, 'clock of postgres'));
    await postgres.start();
    const hasRedis = plan.queues === 'redis' && findRedis() !== null;
    const redis = hasRedis ? new Redis(join(folder, 'redis'), redisPort!, onSelfEnded) : null;
    const devnet = new Devnet(`http://127.0.0.1:${nodePort}`);
    const world = new World(options, devnet, postgres, redis, ports);
    onWorld(world);
    await redis?.start();
    await world.node.start();
    await world.command('indexer', ['migrate'], { DATABASE_URL: postgres.url });
    await world.node.untilReady();
    await devnet.pause();
    for (const each of [...world.indexers, world.api]) await each.start();
    await world.api.untilReady();
    await world.catchUp();
    await world.receiver.start(`http://127.0.0.1:${ports[0]}`, devnet.head.id);
    return world;
  }

  /**
   * Creates one of the compiled apps with only the given environment; does not start it.
   * @param url answers, with any status, once the app works
   */
  program(app: AppName, name: string, url: string, environment: NodeJS.ProcessEnv): Program {
    const { folder, onSelfEnded } = this.options;
    const clock = new Clock(join(folder, `clock of ${name}`));
    this.clocks.set(name, clock);
    const variables = {
      HOST: '127.0.0.1',
      NODE_OPTIONS: `--import ${CLOCK_PRELOAD}`,
      SIMULATED_CLOCK: clock.file,
      ...environment,
    };
    return new Program({
      name,
      launch: (output) => new AppProcess(app, ['run'], variables, output),
      logFolder: join(folder, 'logs'),
      works: async () => (await statusOf(url)) !== null,
      livenessUrl: `http://127.0.0.1:${environment['OPS_PORT']}/health/live`,
      onSelfEnded,
    });
  }

  found(problem: string): void {
    this.options.onProblem(problem);
  }

  /** Sets the offset of this program's clock in seconds. */
  setClock({ name }: Program, seconds: number): void {
    this.clocks.get(name)!.set(seconds);
  }

  /** Waits until the api's head equals the node's. Throws on a timeout. */
  async catchUp(): Promise<void> {
    let seen = 'nothing';
    const isThere = async (): Promise<boolean> => {
      const { height, id } = await this.apiHead();
      seen = `${height} ${id}`;
      return id === this.devnet.head.id;
    };
    await eventually('the index catches up', isThere, CATCH_UP_MS).catch(({ message }: Error) => {
      const { height, id } = this.devnet.head;
      throw new Error(`${message}: the node is at ${height} ${id}, the api at ${seen}.`);
    });
  }

  /** Runs a command of an app and returns its exit code; its output goes to the logs. */
  async command(
    app: AppName,
    args: readonly string[],
    environment: NodeJS.ProcessEnv,
  ): Promise<number | null> {
    const { code, stdout, stderr } = await new AppProcess(app, args, environment).ended;
    appendFileSync(join(this.options.folder, 'logs', `${app} ${args[0]}.log`), stdout + stderr);
    return code;
  }

  /** The apps that have used more memory than allowed for any chain or node. */
  tooLarge(): string[] {
    return [...this.indexers, this.api].flatMap(({ name, peakMiB }) =>
      peakMiB !== null && peakMiB > MOST_MIB
        ? [`${name} has used ${peakMiB} MiB, more than ${MOST_MIB}`]
        : [],
    );
  }

  /** Stops the indexers and the api like an operator. Returns those that did not end properly. */
  async stopApps(): Promise<string[]> {
    const codes = await Promise.all(
      [...this.indexers, this.api].map(async (app) => {
        // A program that was only just started does not handle signals yet.
        await app.untilReady();
        return { name: app.name, code: await app.stop() };
      }),
    );
    return codes.filter(({ code }) => code !== 0).map(({ name, code }) => `${name} ended with ${code}`);
  }

  async stop(): Promise<void> {
    this.receiver.stop();
    await Promise.all([...this.indexers, this.api, this.node].map((each) => each.kill()));
    await this.redis?.stop();
    await this.postgres.stop();
  }

  private async apiHead(): Promise<{ readonly height: number; readonly id: string }> {
    const url = `${this.apiUrl}/api/blocks/getHeight`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}.`);
    return (await answer.json()) as { height: number; id: string };
  }
}
