import type { ChainStatusResponse, Endpoints } from '@roundhouse/client';
import type { Html } from '../html.js';

/** Reads documented answers, by path and parameters like those of a client. All are of one head. */
export interface PageReader {
  readonly get: <P extends keyof Endpoints>(
    path: P,
    query?: Endpoints[P]['query'],
  ) => Promise<Endpoints[P]['answer']>;
  /** The same; null if the index keeps no history, or no days because an earlier version began it. */
  readonly getHistory: <P extends keyof Endpoints>(
    path: P,
    query?: Endpoints[P]['query'],
  ) => Promise<Endpoints[P]['answer'] | null>;
}

/** What every page has. */
export interface PageState {
  readonly status: ChainStatusResponse;
}

/** What an address asks of a page. */
export interface Asked<Name extends string = string> {
  /** What the last part of the path names; empty on pages of lists. */
  readonly name: string;
  /** Every parameter that the page takes; empty if it is absent or not understood. */
  readonly query: Readonly<Record<Name, string>>;
  /** The address, as short as it can be: all addresses with it show the same. */
  readonly address: string;
  /** The address with other values of some parameters; an empty one is left out. */
  readonly to: (changes: Partial<Record<Name, string>>) => string;
}

interface PageDefinition<Data, Name extends string> {
  /** As the router writes it. */
  readonly path: `/${string}`;
  /** Its name in the menu. Pages of one thing have none. */
  readonly menu?: string;
  /** What the query may have, and how each value is read: as empty if it is not understood. */
  readonly parameters?: Readonly<Record<Name, (text: string) => string>>;
  /** Whether there are countless such pages, which are rarely requested twice. */
  readonly isRare?: boolean;
  /**
   * Throws `Elsewhere` if another page shows it, `NothingHere`, and what `reader` throws.
   * @param status what every page has, which is read at the same time
   */
  read(reader: PageReader, asked: Asked<Name>, status: Promise<ChainStatusResponse>): Promise<Data>;
  /** The title of the window; null: the network's name alone. */
  title(data: Data): string | null;
  /** One sentence for search engines. */
  description(data: Data): string;
  /** The best of several addresses of one thing. (Default: the one that was asked for) */
  canonical?(data: Data): string;
  main(state: PageState, data: Data, asked: Asked<Name>): Html;
}

/** A page that was read. */
export interface Shown extends PageState {
  readonly title: string | null;
  readonly description: string;
  readonly canonical: string;
  /** The path of the page in the menu, which is marked. */
  readonly path: string;
  /** What the header's search field has. */
  readonly search: string;
  readonly main: Html;
}

export interface Page {
  readonly path: string;
  readonly menu: string | null;
  readonly isRare: boolean;
  /** @param query the last value of each parameter */
  asked(name: string, query: Readonly<Record<string, string>>): Asked;
  show(reader: PageReader, asked: Asked): Promise<Shown>;
}

/** Another page shows what was asked for. */
export class Elsewhere extends Error {
  /** @param isForever whether programs should forget the old address */
  constructor(
    readonly address: string,
    readonly isForever = false,
  ) {
    super(`This is at ${address}.`);
  }
}

/** There is nothing of this name. */
export class NothingHere extends Error {}

/** Makes a page of what its file says. */
export const definePage = <Data, Name extends string = never>(
  definition: PageDefinition<Data, Name>,
): Page => {
  const { path, menu = null, isRare = false, parameters } = definition;
  const readers = Object.entries(parameters ?? {}) as [Name, (text: string) => string][];
  const asked = (segment: string, given: Readonly<Record<string, string>>): Asked<Name> => {
    const name = segment === '-' && given['name'] ? given['name'] : segment;
    const query = Object.fromEntries(readers.map(([key, read]) => [key, read(given[key] ?? '')])) as Record<
      Name,
      string
    >;
    const to = (changes: Partial<Record<Name, string>>): string => {
      const isFolder = name === '.' || name === '..';
      const values: Record<string, string> = { ...(isFolder && { name }), ...query, ...changes };
      const shown = new URLSearchParams(
        Object.entries(values).filter(([, value]) => value !== ''),
      ).toString();
      const place = path.replace(':name', isFolder ? '-' : encodeURIComponent(name));
      return shown === '' ? place : `${place}?${shown}`;
    };
    return { name, query, address: to({}), to };
  };
  return {
    path,
    menu,
    isRare,
    asked,
    show: async (reader, request) => {
      const reading = reader.get('/status.json');
      const [status, data] = await Promise.all([reading, definition.read(reader, request, reading)]);
      return {
        status,
        path,
        title: definition.title(data),
        description: definition.description(data),
        canonical: definition.canonical?.(data) ?? request.address,
        search: path === '/search' ? (request.query['q'] ?? '') : '',
        main: definition.main({ status }, data, request),
      };
    },
  };
};
