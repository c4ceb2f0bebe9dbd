import { randomBytes } from 'node:crypto';
import { eventually, freePorts } from '@roundhouse/testing';
import { linesOf, run } from './shell.js';

/** The Compose command of this machine. */
const findCompose = async (): Promise<[string, ...string[]]> => {
  try {
    await run('docker', ['compose', 'version']);
    return ['docker', 'compose'];
  } catch {
    await run('docker-compose', ['version']);
    return ['docker-compose'];
  }
};

const OVERLAYS = ['core-v1', 'core-v2', 'sql'].map((name) => `deploy/${name}.compose.yml`);

/** The containers of docker-compose.yml with a devnet, the ports of Core's versions and that of the database, under their own project name. */
export class ComposeStack {
  private constructor(
    private readonly compose: [string, ...string[]],
    private readonly profiles: readonly string[],
    readonly project: string,
    readonly port: number,
    readonly coreV1Port: number,
    readonly coreV2Port: number,
    /** As programs outside the containers read a node's tables. */
    readonly sqlUrl: string,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  /** Creates the object, with the devnet's profile and others; no container is started yet. */
  static async create(version: string, ...others: string[]): Promise<ComposeStack> {
    const project = `roundhouse-e2e-${randomBytes(3).toString('hex')}`;
    const [port, coreV1Port, coreV2Port, sqlPort] = await freePorts(4);
    const password = randomBytes(8).toString('hex');
    const sqlUrl = `postgres://roundhouse_sql:${password}@127.0.0.1:${sqlPort}/roundhouse`;
    const profiles = ['devnet', ...others].flatMap((profile) => ['--profile', profile]);
    return new ComposeStack(await findCompose(), profiles, project, port!, coreV1Port!, coreV2Port!, sqlUrl, {
      COMPOSE_FILE: ['docker-compose.yml', ...OVERLAYS].join(':'),
      COMPOSE_PROJECT_NAME: project,
      ROUNDHOUSE_VERSION: version,
      PUBLIC_ADDRESS: '127.0.0.1',
      PUBLIC_PORT: String(port),
      PUBLIC_CORE_V1_PORT: String(coreV1Port),
      PUBLIC_CORE_V2_PORT: String(coreV2Port),
      SQL_PORT: String(sqlPort),
      SQL_DATABASE_PASSWORD: password,
      HISTORY: 'full',
      DEVNET_BLOCK_TIME: '1',
      DEVNET_CONTROL: 'true',
      POLL_INTERVAL_MS: '300',
    });
  }

  /** Changes a setting of the containers that are created from now on. */
  set(name: string, value: string): void {
    this.environment[name] = value;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get coreV1Url(): string {
    return `http://127.0.0.1:${this.coreV1Port}`;
  }

  get coreV2Url(): string {
    return `http://127.0.0.1:${this.coreV2Port}`;
  }

  /** Runs Compose with the profiles. */
  async run(...args: string[]): Promise<string> {
    const [command, ...first] = this.compose;
    return run(command, [...first, ...this.profiles, ...args], this.environment);
  }

  /** Runs a script of the workspace as an operator of this stack. */
  async script(path: string, ...args: string[]): Promise<string> {
    return run(path, [...this.profiles, ...args], this.environment);
  }

  /** Starts missing containers, with `apis` containers of the api. */
  async up(apis: number): Promise<void> {
    await this.run('up', '-d', '--no-build', '--scale', `api=${apis}`);
  }

  /** The ids of a service's running containers, without one-off containers. */
  async containers(service: string): Promise<string[]> {
    const labels = [`project=${this.project}`, `service=${service}`, 'oneoff=False'];
    const args = labels.flatMap((label) => ['--filter', `label=com.docker.compose.${label}`]);
    const named = await run('docker', ['ps', '-q', '--no-trunc', ...args]);
    return linesOf(named);
  }

  async container(service: string): Promise<string> {
    const [container] = await this.containers(service);
    if (container === undefined) throw new Error(`No container of ${service} is running.`);
    return container;
  }

  /** Runs a program in the container of a service. */
  async exec(service: string, ...command: string[]): Promise<string> {
    return run('docker', ['exec', await this.container(service), ...command]);
  }

  /** The same as another user than that of the container. */
  async execAs(user: string, service: string, ...command: string[]): Promise<string> {
    return run('docker', ['exec', '--user', user, await this.container(service), ...command]);
  }

  /** Kills the program in a container, not the container, as a crash does; the engine restarts the container. */
  async killProgram(container: string): Promise<void> {
    const restarts = await this.restarts(container);
    // A signal to all processes (-1) is not sent to the shell itself.
    await run('docker', ['exec', container, 'sh', '-c', 'kill -9 -1']);
    await eventually('the container restarts', async () => (await this.restarts(container)) > restarts);
  }

  async inspect(container: string, format: string): Promise<string> {
    return run('docker', ['inspect', '-f', format, container]);
  }

  async untilHealthy(service: string, count: number, timeoutMs = 120_000): Promise<void> {
    const areHealthy = async (): Promise<boolean> => {
      const all = await this.containers(service);
      const states = await Promise.all(all.map((each) => this.inspect(each, '{{.State.Health.Status}}')));
      return states.filter((state) => state === 'healthy').length === count;
    };
    await eventually(`${count} of ${service} are healthy`, areHealthy, timeoutMs);
  }

  async height(): Promise<number> {
    const response = await fetch(`${this.url}/api/blocks/getHeight`);
    return response.ok ? ((await response.json()) as { height: number }).height : 0;
  }

  /** Waits until the index has grown by `blocks` blocks. */
  async untilItGrows(blocks: number, timeoutMs: number): Promise<void> {
    const from = await this.height();
    await eventually(
      `the index grows by ${blocks}`,
      async () => (await this.height()) >= from + blocks,
      timeoutMs,
    );
  }

  /** Sends the devnet an order (see its README), from inside its container, so that no port has to be published. */
  async orderDevnet(order: 'pause' | 'resume'): Promise<{ height: number }> {
    const ask = `const answer = await fetch('http://127.0.0.1:4200/devnet/${order}', { method: 'POST' });
      console.log(await answer.text());`;
    const answer = await this.exec('devnet', 'node', '--input-type=module', '-e', ask);
    return (JSON.parse(answer) as { data: { height: number } }).data;
  }

  /** The remote ends of the connections to a service's public port, in one or several containers. */
  async clientPortsOf(service: 'api'): Promise<string[]> {
    // 0FA3 is 4003 in hex, 01 means established: /proc/net/tcp has local address, remote address and state, in this
    // order.
    const awk = `$2 ~ /:0FA3$/ && $4 == "01" { print $3 }`;
    const all = await this.containers(service);
    const lists = await Promise.all(
      all.map((each) => run('docker', ['exec', each, 'awk', awk, '/proc/net/tcp', '/proc/net/tcp6'])),
    );
    return lists.flatMap(linesOf);
  }

  /** Waits until nginx has this many apis. Its log has the list after each change, with errors in between. */
  async untilNginxKnows(apis: number, timeoutMs: number): Promise<void> {
    const isSo = async (): Promise<boolean> => {
      const said = await run('sh', ['-c', `docker logs ${await this.container('nginx')} 2>&1`]);
      const change = linesOf(said).findLast((line) => line.startsWith('front: now '));
      return (change?.match(/server /g) ?? []).length === apis;
    };
    await eventually(`nginx knows ${apis}`, isSo, timeoutMs);
  }

  /** Removes the containers of some services, and the volume with the database. */
  async loseDatabase(...services: string[]): Promise<void> {
    await this.run('rm', '-s', '-f', 'postgres', ...services);
    await run('docker', ['volume', 'rm', `${this.project}_postgres`]);
  }

  async remove(): Promise<void> {
    await this.run('down', '-v', '-t', '12', '--remove-orphans');
  }

  private async restarts(container: string): Promise<number> {
    return Number(await this.inspect(container, '{{.RestartCount}}'));
  }
}
