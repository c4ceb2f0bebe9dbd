import { Injectable, type OnModuleInit } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { ModuleRef } from '@nestjs/core';
import { parseParameters, ReadyJson, type DtoClass } from '@roundhouse/dto';
import { NoDetailsError, NoHistoryError } from '@roundhouse/readers';
import { parseAnswer, type PageReader } from '@roundhouse/web';
import { AccountsController } from '../accounts/accounts.controller.js';
import { LargeContent, LastingContent, type MakeContent } from '../answers/answer-request.js';
import { keptOf } from '../answers/kept.decorator.js';
import { BlocksController } from '../blocks/blocks.controller.js';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { DelegatesController } from '../delegates/delegates.controller.js';
import { HistoryController } from '../history/history.controller.js';
import { SearchController } from '../search/search.controller.js';
import { StatisticsController } from '../statistics/statistics.controller.js';
import { StatusController } from '../status/status.controller.js';
import { TransactionsController } from '../transactions/transactions.controller.js';

type Given = Readonly<Record<string, string | number | bigint | undefined>>;

type Answer = (chain: ChainView, given: Given) => Promise<unknown>;

const textOf = async ({ contentWith, read }: LargeContent): Promise<object> => {
  const parts: Buffer[] = [];
  for await (const part of read()) parts.push(part);
  return contentWith(ReadyJson.list(Buffer.concat(parts).toString()));
};

/** A documented path, as the client has it. */
const pathOf = (controller: NewableFunction, method: object): string => {
  const parts = [controller, method].map((of) => Reflect.getMetadata(PATH_METADATA, of) as string);
  return `/${parts.filter((part) => part !== '/').join('/')}`.replace(/:(\w+)/g, '{$1}');
};

/** What a route answers, as a client reads it. Its parameters are checked like a client's. */
const answerOf = (controller: object, name: string, method: object): Answer => {
  const { handler, metadata } = keptOf(method);
  const types = Reflect.getMetadata('design:paramtypes', controller, name) as readonly DtoClass[];
  return async (chain, given) => {
    const asked = Object.entries(given).filter(([, value]) => value !== undefined);
    const texts = Object.fromEntries(asked.map(([name, value]) => [name, String(value)]));
    const parameters = types.map((type) => parseParameters(type, texts));
    const make: MakeContent<object> = handler.apply(controller, parameters);
    if (metadata.needsListIndexes) chain.assertListIndexes();
    const made = await make(chain);
    const content: object = made instanceof LastingContent ? made.content : made;
    const isLarge = content instanceof LargeContent;
    return parseAnswer(metadata.writing!.write(isLarge ? await textOf(content as LargeContent) : content));
  };
};

/** Whose routes pages read. */
const CONTROLLERS = [
  AccountsController,
  BlocksController,
  DelegatesController,
  HistoryController,
  SearchController,
  StatisticsController,
  StatusController,
  TransactionsController,
];

const answersOf = (controller: object): [path: string, answer: Answer][] => {
  const prototype = Object.getPrototypeOf(controller) as Record<string, object>;
  return Object.getOwnPropertyNames(prototype)
    .filter((name) => Reflect.hasMetadata(METHOD_METADATA, prototype[name]!))
    .map((name) => [
      pathOf(controller.constructor, prototype[name]!),
      answerOf(controller, name, prototype[name]!),
    ]);
};

/** Answers documented requests inside the process, all of one head. The page reads nothing else. */
@Injectable()
export class OwnAnswers implements OnModuleInit {
  private answers: ReadonlyMap<string, Answer>;

  constructor(private readonly module: ModuleRef) {}

  onModuleInit(): void {
    this.answers = new Map(CONTROLLERS.flatMap((each) => answersOf(this.module.get<object>(each))));
  }

  /** Throws what the routes throw. */
  at(chain: ChainView): PageReader {
    const get = (path: string, given: Given = {}): Promise<unknown> => {
      const answer = this.answers.get(path);
      if (!answer) throw new Error(`No page can read ${path}: its controller is not listed here.`);
      const answered = answer(chain, given);
      // A page that fails at another of its answers waits for this one no more, and a rejection that nobody handles ends the process.
      answered.catch(() => undefined);
      return answered;
    };
    const getHistory = (path: string, given?: Given): Promise<unknown> =>
      get(path, given).catch((error: unknown) => {
        if (error instanceof NoHistoryError || error instanceof NoDetailsError) return null;
        throw error;
      });
    return { get, getHistory } as PageReader;
  }
}
