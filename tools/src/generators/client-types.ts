import type { ApiDocument, Operation, Parameter, Schema } from './api-document.js';

const HEADER = `// Made by npm run generate from the OpenAPI document of the api: change the DTOs there.
/* eslint-disable */
`;

/** The document names the unit of every amount, and of nothing else. */
const AMOUNT = /\bin arktoshi\b/;

const typeName = (reference: string): string => reference.split('/').at(-1)!.replace(/Dto$/, '');

const isAmount = ({ type, description = '' }: Schema): boolean =>
  type === 'integer' && AMOUNT.test(description);

const referenceOf = ({ $ref, allOf }: Schema): string | undefined => $ref ?? allOf?.[0]?.$ref;

const bareType = (schema: Schema): string => {
  const reference = referenceOf(schema);
  if (reference !== undefined) return typeName(reference);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
      return schema.type;
    case 'integer':
      return isAmount(schema) ? 'bigint' : 'number';
    case 'array':
      return `readonly ${bareType(schema.items!)}[]`;
    default:
      throw new Error(`The generator of the client knows no "${schema.type}": teach it.`);
  }
};

const comment = (text: string | undefined): string => (text ? `/** ${text.replaceAll('*/', '')} */\n` : '');

const interfaceOf = ([name, { properties = {}, required = [] }]: [string, Schema]): string => {
  const fields = Object.entries(properties).map(([field, schema]) => {
    const mark = required.includes(field) ? '' : '?';
    const type = `${bareType(schema)}${schema.nullable ? ' | null' : ''}`;
    return `${comment(schema.description)}readonly ${JSON.stringify(field)}${mark}: ${type};`;
  });
  return `export interface ${typeName(name)} {\n${fields.join('\n')}\n}\n`;
};

const queryOf = (parameters: readonly Parameter[] = []): string => {
  const fields = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, required, description, schema }) => {
      const [mark, absent] = required ? ['', ''] : ['?', ' | undefined'];
      return `${comment(description)}readonly ${JSON.stringify(name)}${mark}: ${bareType(schema)}${absent};`;
    });
  return fields.length === 0 ? 'NoQuery' : `{\n${fields.join('\n')}\n}`;
};

const answerOf = (path: string, { responses }: Operation): string | null => {
  const schema = responses['200']?.content?.['application/json']?.schema;
  const reference = schema && referenceOf(schema);
  if (reference !== undefined) return typeName(reference);
  if (responses['200']?.content?.['text/event-stream']) return null;
  throw new Error(`The document does not say what ${path} answers.`);
};

const endpointOf = ([path, { get }]: [string, { readonly get: Operation }]): string => {
  const answer = answerOf(path, get);
  if (answer === null) return '';
  return `${comment(get.summary)}readonly ${JSON.stringify(path)}: { readonly query: ${queryOf(get.parameters)}; readonly answer: ${answer} };\n`;
};

/** The names of the fields that hold amounts. Throws where a name means an amount here and a count there. */
const amountNames = (schemas: readonly Schema[]): string[] => {
  const integers = schemas
    .flatMap(({ properties = {} }) => Object.entries(properties))
    .filter(([, { type }]) => type === 'integer');
  const amounts = new Set(integers.filter(([, schema]) => isAmount(schema)).map(([name]) => name));
  const both = integers.find(([name, schema]) => amounts.has(name) && !isAmount(schema));
  if (both) throw new Error(`"${both[0]}" is an amount in one answer and none in another: rename it.`);
  return [...amounts].sort();
};

/** libs/client/src/generated/api.ts. */
export const clientTypes = ({ paths, components: { schemas } }: ApiDocument): string => `${HEADER}
${Object.entries(schemas).map(interfaceOf).join('\n')}
/** An endpoint without parameters. */
export type NoQuery = Readonly<Record<string, never>>;

/** Every endpoint, by its path: the parameters that it takes and what it answers. */
export interface Endpoints {
${Object.entries(paths).map(endpointOf).join('')}}

/** The fields that hold amounts in arktoshi, in whichever answer. */
export const AMOUNTS: ReadonlySet<string> = new Set(${JSON.stringify(amountNames(Object.values(schemas)))});
`;
