import type { IncomingHttpHeaders } from 'node:http';
import type { RawQuery } from '@roundhouse/dto';

const ACCEPTED = /^application\/vnd\.core-api\.v(\d+)\+json$/;

const wholeNumber = (text: string | undefined): number | null =>
  text !== undefined && /^\d+$/.test(text) ? Number(text) : null;

/** The version that the headers ask for, 0 included; null if they ask for none, or for none that is a number. */
export const versionInHeaders = (headers: IncomingHttpHeaders): number | null => {
  const { 'api-version': version, accept } = headers;
  const asked = wholeNumber(typeof version === 'string' ? version.trim() : undefined);
  return asked ?? wholeNumber(accept === undefined ? undefined : ACCEPTED.exec(accept)?.[1]);
};

/** Without a version in the headers, the parameter `version` selects one; a value that is no number selects none. */
export const versionInQuery = (query: RawQuery): number | null => wholeNumber(query.get('version')?.[0]);
