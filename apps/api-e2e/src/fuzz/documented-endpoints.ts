import { readFileSync } from 'node:fs';
import { documentedPath, type OpenApi, type Parameter as Documented } from '../support/api-document.js';
import * as chain from '../support/hand-made-chain.js';
import { fits, isTelling } from '../support/schema-texts.js';
import type { Endpoint, Parameter } from './parameter.js';

const DOCUMENT = new URL('../../../../docs/openapi.json', import.meta.url);

const STREAM = '/events';

/** What the segments of a path may name. Each has a digit, so that its letters keep their case. */
const NAMED = ['1', '130', 'nobody1', chain.publicKey(1), chain.address(20), chain.blockId(7)];

const decoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

/** All these texts, judged by the schema. */
const parameterOf = ({ name, required, schema }: Documented, texts: readonly string[]): Parameter => ({
  name,
  isRequired: required,
  values: texts.map((text) => {
    if (!fits(schema, decoded(text))) return [text, 'malformed'];
    return [text, isTelling(schema) ? 'fitting' : 'unknown'];
  }),
});

/** The endpoints of the OpenAPI document that are not modelled, with the texts of those that are. */
export const documentedEndpoints = (modelled: readonly Endpoint[]): Endpoint[] => {
  const { paths } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as OpenApi;
  const known = new Set(modelled.map(({ path }) => documentedPath(Object.keys(paths), path)));
  const values = modelled.flatMap(({ parameters }) => parameters).flatMap((parameter) => parameter.values);
  const texts = new Set(values.map(([text]) => text));
  const others = Object.entries(paths).filter(([path]) => path !== STREAM && !known.has(path));
  return others.flatMap(([path, { get }]) => {
    const inPath = get.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    // A name that the path has may be in the query only if the path has none.
    const queries = get.parameters.filter(
      ({ in: place, name }) => place === 'query' && !inPath.includes(name),
    );
    const parameters = queries.map((parameter) =>
      parameterOf(parameter, [...texts, ...(parameter.schema.enum ?? [])]),
    );
    const targets = new Set(NAMED.map((name) => path.replace(/\{\w+\}/g, name)));
    return [...targets].map((target) => ({
      path: target,
      parameters,
      mayBeMissing: inPath.length > 0,
      mayBeRefused: parameters.length > 1,
    }));
  });
};
