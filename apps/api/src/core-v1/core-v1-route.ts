import type { NodeParameters, NodeRules } from '@roundhouse/dto/core-v1';
import type { MakeContent } from '../answers/answer-request.js';
import type { ClientHost } from './client-host.js';

/**
 * One GET route of a node's version 1. To add one:
 *
 * 1. its answer's shape in `libs/dto/src/core-v1/answers.ts`, and the rules of its parameters if they are special;
 * 2. its SQL in a reader of `libs/readers/src/core-v1`, which `core-v1.module.ts` provides. A list with an offset or
 *    filters of any cost reads from the `ListPool`, and its route waits in the places `lists` (`inPlaces`). Everything
 *    else reads from the common pool;
 * 3. the route in the `*.routes.ts` of its group, which `GROUPS` in `core-v1.module.ts` names;
 * 4. its path in `apps/chain-e2e/src/core-v1/done-routes.ts`: `core-v1.int-spec.ts` then replays what a real node answered.
 */
export interface CoreV1Route {
  /** What follows `/api/` or `/api/v1/`. */
  readonly path: string;
  readonly rules: NodeRules;
  /** Takes checked parameters. What it makes may throw `NodeRefusal`. */
  readonly answer: (parameters: NodeParameters<NodeRules>, host: ClientHost) => MakeContent<object>;
  /** Whether the answer also changes with the node's height, not only with the head. */
  readonly followsSource: boolean;
  /** Whether the answer names the host that the client used. Such an answer is not kept. */
  readonly namesHost: boolean;
}

/** The routes of one group. */
export interface RouteGroup {
  readonly routes: readonly CoreV1Route[];
}

interface RouteOptions<R extends NodeRules> {
  readonly rules?: R;
  readonly followsSource?: boolean;
  readonly namesHost?: boolean;
}

export const route = <R extends NodeRules = Record<never, never>>(
  path: string,
  { rules, followsSource = false, namesHost = false }: RouteOptions<R>,
  answer: (parameters: NodeParameters<R>, host: ClientHost) => MakeContent<object>,
): CoreV1Route => ({
  path,
  rules: rules ?? {},
  answer: answer as CoreV1Route['answer'],
  followsSource,
  namesHost,
});
