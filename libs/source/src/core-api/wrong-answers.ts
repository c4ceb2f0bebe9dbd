import { NodeProtocolError } from '../errors/node-errors.js';
import { SHOWN_CHARACTERS } from './node-failures.js';

// What is wrong with answers of the right form.

interface Asked {
  readonly name: string;
  /** The setting or option that names the node. */
  readonly setting: string;
}

/**
 * A node returns no more than was requested or announced, but a cache or proxy in between may return pages
 * without end.
 */
export const tooMany = (
  { name, setting }: Asked,
  path: string,
  what: string,
  most: number,
  height?: number,
): NodeProtocolError => {
  const where = height ? ` at height ${height}` : '';
  return new NodeProtocolError(
    name,
    `${name} returned ${what}${where}, but at most ${most} are possible (${path.slice(0, SHOWN_CHARACTERS)}). ` +
      `Check whether a cache in between ignores the query, or name another node in ${setting}.`,
    height ? { height } : {},
  );
};

export const anotherBlock = (
  { name, setting }: Asked,
  height: number,
  wanted: number,
  path: string,
): NodeProtocolError =>
  new NodeProtocolError(
    name,
    `${name} returned block ${height} instead of block ${wanted} (${path}). Check whether a cache in ` +
      `between ignores the query, or name another node in ${setting}.`,
    { height: wanted },
  );

export const notFound = ({ name, setting }: Asked, path: string): NodeProtocolError =>
  new NodeProtocolError(
    name,
    `${name} has no ${path}: check that ${setting} is the public API of a Core node of line 2.x or 3.x.`,
  );
