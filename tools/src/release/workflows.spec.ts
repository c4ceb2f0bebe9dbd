import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { inWorkspace } from '../generators/generated-files.js';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string | boolean>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly 'runs-on': string;
  readonly 'timeout-minutes': number;
  readonly container?: string;
  readonly permissions?: object;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, { readonly branches?: readonly string[] } | null>>;
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** The 64-bit platforms of the official image of Node.js, in its variants bookworm-slim and trixie-slim. */
const BASE_PLATFORMS = ['linux/amd64', 'linux/arm64', 'linux/ppc64le', 'linux/s390x'];

const FOLDER = inWorkspace('.github/workflows');
const text = (name: string): string => readFileSync(`${FOLDER}/${name}`, 'utf8');
const load = (name: string): Workflow => parse(text(name), { strict: true }) as Workflow;
const names = readdirSync(FOLDER);
const jobsOf = (name: string) => Object.values(load(name).jobs);
const stepsOf = (name: string): Step[] => jobsOf(name).flatMap(({ steps }) => steps);
const stepUsing = (name: string, action: string): Step =>
  stepsOf(name).find(({ uses }) => uses?.startsWith(`${action}@`))!;

const read = (path: string): string => readFileSync(inWorkspace(path), 'utf8');

it('there is a workflow for CI, the image and the client, and no other', () => {
  expect(names.sort()).toEqual(['ci.yml', 'client.yml', 'image.yml']);
});

describe.each(names)('the workflow %s', (name) => {
  it('pins each action to a commit, and names its version', () => {
    const lines = text(name).match(/^.*\buses:.*$/gm)!;
    expect(lines).toHaveLength(stepsOf(name).filter(({ uses }) => uses !== undefined).length);
    const pinned = /uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
    expect(lines.filter((line) => !pinned.test(line))).toEqual([]);
  });

  it('may only read, unless a job says what else, and runs no code of others with rights or secrets', () => {
    const { on, permissions } = load(name);
    expect(permissions).toEqual({ contents: 'read' });
    expect(Object.keys(on).filter((event) => !['push', 'pull_request'].includes(event))).toEqual([]);
    const mayMore = jobsOf(name).some((job) => job.permissions !== undefined);
    expect('pull_request' in on && (mayMore || text(name).includes('secrets.'))).toBe(false);
    // An expression in a script is replaced before the shell reads it: a name could then be a command.
    expect(stepsOf(name).filter(({ run }) => run?.includes('${{'))).toEqual([]);
  });

  it('leaves no token in the checked-out folder, and ends by itself', () => {
    const checkouts = stepsOf(name).filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts).toHaveLength(jobsOf(name).length);
    for (const step of checkouts) expect(step.with).toEqual({ 'persist-credentials': false });
    for (const job of jobsOf(name)) {
      expect(job['timeout-minutes']).toBeLessThanOrEqual(240);
      expect(job['runs-on']).toMatch(/^ubuntu-\d\d\.\d\d$/);
    }
  });

  it('calls only npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const called = [...text(name).matchAll(/npm run ([\w:]+)/g)].map(([, script]) => script!);
    expect(called.filter((script) => !(script in scripts))).toEqual([]);
  });
});

it('CI runs .ci/run for main and for pull requests, with the oldest supported Node.js, without a secret', () => {
  const { on, jobs } = load('ci.yml');
  expect([on.push?.branches, 'pull_request' in on]).toEqual([['main'], true]);
  expect(jobs.checks!.steps.at(-1)).toEqual({ run: '.ci/run' });
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
  expect(jobs.checks!.container).toBe(`node:${engines.node.replace('>=', '')}-bookworm`);
  expect(jobs.containers!.steps.at(-1)).toEqual({ run: 'npm run test:stack' });
  expect(text('ci.yml')).not.toContain('secrets.');
});

it.each(['image.yml', 'client.yml'])(
  '%s runs for the tags of npm run release only, and compares them',
  (name) => {
    expect(load(name).on).toEqual({ push: { tags: ['v*'] } });
    const commands = stepsOf(name).map(({ run }) => run);
    expect(commands).toContain(`test "$GITHUB_REF_NAME" = "v$(node -p 'require("./package.json").version')"`);
  },
);

describe('the image', () => {
  it('is built for platforms that its base has, on the machines that people use', () => {
    const bases = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, base]) => base!);
    const variant = /^node:\d+-(.+)$/.exec(bases.at(-1)!)![1]!;
    const platforms = String(stepUsing('image.yml', 'docker/build-push-action').with!.platforms).split(',');
    expect(['bookworm-slim', 'trixie-slim']).toContain(variant);
    expect(BASE_PLATFORMS).toEqual(expect.arrayContaining(platforms));
    expect(platforms).toEqual(['linux/amd64', 'linux/arm64']);
    // A stage of one platform would put its programs into the image of another.
    expect(new Set(bases).size).toBe(1);
    expect(read('Dockerfile')).not.toMatch(/--platform/);
  });

  it('runs the Node.js that the README recommends, with which CI runs whole programs', () => {
    const version = /Node\.js \S+ or newer, best (\d+)/.exec(read('README.md'))![1]!;
    expect(read('Dockerfile')).toContain(`FROM node:${version}-`);
    expect(read('.ci/run')).toContain(`tools/with-node.sh ${version} npm run test:e2e`);
  });

  it('is pushed with provenance and SBOM, then signed by digest without a key', () => {
    const { steps, permissions } = jobsOf('image.yml')[0]!;
    expect(permissions).toEqual({ contents: 'read', packages: 'write', 'id-token': 'write' });
    const build = steps.findIndex(({ uses }) => uses?.startsWith('docker/build-push-action@'));
    expect(steps[build]!.with).toMatchObject({ push: true, sbom: true, provenance: 'mode=max' });
    const sbom = steps.findIndex(({ run }) => run === 'npm run sbom:image');
    expect(sbom).toBeGreaterThan(-1);
    expect(sbom).toBeLessThan(build);
    const { run, env } = steps.at(-1)!;
    expect(env).toEqual({ DIGEST: '${{ steps.build.outputs.digest }}' });
    expect(run).toContain('@$DIGEST"');
    expect(run).toContain('cosign sign --yes --recursive "$image"');
    expect(run).toContain('cosign attest --yes --type cyclonedx --predicate dist/image.cdx.json "$image"');
    expect(text('image.yml')).not.toMatch(/secrets\.|--key/);
  });
});

describe('the client', () => {
  it('is published from its own package with provenance, by the only secret of all workflows', () => {
    const { steps, permissions } = jobsOf('client.yml')[0]!;
    expect(permissions).toEqual({ contents: 'read', 'id-token': 'write' });
    expect(steps.at(-2)!.run).toMatch(/^npm run pack:client -- /);
    expect(steps.at(-1)).toEqual({
      run: 'npm publish ./dist/roundhouse-client-*.tgz --access public --provenance',
      env: { NODE_AUTH_TOKEN: '${{ secrets.NPM_TOKEN }}' },
    });
    const secrets = names.flatMap((name) =>
      [...text(name).matchAll(/secrets\.(\w+)/g)].map(([, key]) => key),
    );
    expect(secrets).toEqual(['NPM_TOKEN']);
    expect(read('docs/releasing.md')).toContain('`NPM_TOKEN`');
  });
});

describe('the templates of issues', () => {
  const templates = readdirSync(inWorkspace('.github/ISSUE_TEMPLATE'));

  it.each(templates)('%s is a form whose questions have names of their own', (name) => {
    const form = parse(read(`.github/ISSUE_TEMPLATE/${name}`), { strict: true }) as {
      name: string;
      description: string;
      body: { type: string; id?: string; attributes: { label?: string } }[];
    };
    expect([form.name, form.description].every((line) => line.length > 5)).toBe(true);
    const questions = form.body.filter(({ type }) => type !== 'markdown');
    for (const { type } of questions) expect(type).toMatch(/^(input|textarea|checkboxes)$/);
    const ids = questions.map(({ id }) => id);
    expect(ids).not.toContain(undefined);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
