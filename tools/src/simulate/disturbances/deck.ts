import { boastThenFork } from './boast-then-fork.js';
import { clockOfAll, clockOfApi, clockOfBothIndexers, clockOfDatabase, clockOfOneIndexer } from './clock.js';
import type { Draw } from './disturbance.js';
import { deepFork, shallowFork, shorterFork } from './fork.js';
import { killApi, killBothIndexers, killIndexer } from './kill.js';
import { lostLogs } from './log.js';
import { lyingIds } from './lying-ids.js';
import { misbehavioursFor } from './misbehave.js';
import { freezeIndexerWithoutDatabase, pauseApi, pauseIndexer } from './pause.js';
import { crashPostgres, endSessions, restartPostgres } from './postgres.js';
import { emptyRedis, restartRedis } from './redis.js';
import { restartNode, restartNodeThenFork } from './restart-node.js';
import { twiceForked } from './twice-forked.js';

const always: readonly Draw[] = [
  shallowFork,
  shallowFork,
  shallowFork,
  deepFork,
  deepFork,
  shorterFork,
  twiceForked,
  boastThenFork,
  lyingIds,
  restartNode,
  restartNodeThenFork,
  killIndexer,
  killIndexer,
  killBothIndexers,
  killApi,
  pauseIndexer,
  freezeIndexerWithoutDatabase,
  pauseApi,
  restartPostgres,
  crashPostgres,
  crashPostgres,
  endSessions,
  clockOfOneIndexer,
  clockOfBothIndexers,
  clockOfApi,
  clockOfDatabase,
  clockOfAll,
  ...lostLogs,
];

interface Setup {
  readonly hasRedis: boolean;
  readonly verify: 'hash' | 'full';
}

/** Every disturbance, repeated by its frequency. */
export const deckFor = ({ hasRedis, verify }: Setup): readonly Draw[] => [
  ...always,
  ...misbehavioursFor(verify),
  ...(hasRedis ? [restartRedis, emptyRedis] : []),
];
