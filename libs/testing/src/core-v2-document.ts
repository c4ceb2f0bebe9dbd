import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

interface Schema {
  readonly [keyword: string]: unknown;
}

export interface CoreV2Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}

interface Operation {
  readonly parameters?: readonly CoreV2Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

interface Json {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** A route of the document: `get` or `post`, and its path with names in braces. */
export interface CoreV2Operation {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly parameters: readonly CoreV2Parameter[];
}

const nameIn = (reference: unknown): string => String(reference).split('/').at(-1)!;

/** References name the schemas by themselves. */
const forAjv = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(forAjv);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === '$ref' ? nameIn(inner) : forAjv(inner)]),
  );
};

const JSON_TYPE = 'application/json';

/** The OpenAPI document of Core's version 2, which judges real responses. It does not depend on how the api makes it. */
export class CoreV2Document {
  private readonly ajv = formats.default(
    new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true }),
  );
  private readonly validators = new Map<Schema, ValidateFunction>();
  /** As `Schema.field`, with dots for inner objects. */
  private readonly seen = new Set<string>();
  readonly operations: readonly CoreV2Operation[];

  /** Throws if it has a schema that is not valid. */
  constructor(private readonly document: Json) {
    this.ajv.addFormat('hex', /^[0-9a-f]*$/i).addFormat('ip', true);
    for (const [name, schema] of Object.entries(document.components.schemas))
      this.ajv.addSchema(forAjv(schema) as object, name);
    this.operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters = [] }]) => {
        for (const { schema } of parameters) this.validatorOf(schema);
        return { method: method as 'get' | 'post', path, parameters };
      }),
    );
  }

  /** The document that an api serves. */
  static async of(url: string): Promise<CoreV2Document> {
    return new CoreV2Document((await (await fetch(`${url}/docs/v2/json`)).json()) as Json);
  }

  /** The route of a path below `/api/v2`; undefined if the document has none. Names come before parameters. */
  find(method: string, place: string): CoreV2Operation | undefined {
    const segments = `/api/v2/${place}`.split('/');
    const isFor = ({ path }: CoreV2Operation): boolean => {
      const own = path.split('/');
      return (
        own.length === segments.length && own.every((one, at) => one.startsWith('{') || one === segments[at])
      );
    };
    return this.operations
      .filter((operation) => operation.method === method && isFor(operation))
      .sort((one, other) => one.path.split('{').length - other.path.split('{').length)[0];
  }

  /** What is wrong with the body of a response, by the document; nothing if all is well. */
  faultsOf({ method, path }: CoreV2Operation, status: number, text: string): string[] {
    const schema =
      this.document.paths[path]![method]!.responses[String(status)]?.content?.[JSON_TYPE]?.schema;
    if (!schema) return [`${status} of ${path} is not documented`];
    const body: unknown = JSON.parse(text);
    const validate = this.validatorOf(schema);
    if (validate(body)) return [];
    return validate.errors!.map(
      ({ instancePath, message, params }) =>
        `${status} of ${path}: ${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }

  /** Remembers which documented fields an answer has. */
  note({ method, path }: CoreV2Operation, status: number, text: string): void {
    const schema = this.document.paths[path]![method]!.responses[String(status)]!.content![JSON_TYPE]!.schema;
    this.walk(schema, JSON.parse(text), '', (name, value) => {
      if (value !== undefined) this.seen.add(name);
    });
  }

  /** The documented fields that no noted answer had. */
  get unseenFields(): string[] {
    const all = new Set<string>();
    for (const [name, schema] of Object.entries(this.document.components.schemas))
      this.walk(schema, undefined, name, (field) => all.add(field));
    return [...all].filter((field) => !this.seen.has(field));
  }

  /** Calls `visit` for each field of named schemas: of a value, or, if there is none, of the schema itself. */
  private walk(
    schema: Schema,
    value: unknown,
    name: string,
    visit: (name: string, value: unknown) => void,
  ): void {
    const {
      $ref,
      anyOf = [],
      items,
      properties = {},
      additionalProperties,
    } = schema as {
      readonly $ref?: string;
      readonly anyOf?: readonly Schema[];
      readonly items?: Schema;
      readonly properties?: Readonly<Record<string, Schema>>;
      readonly additionalProperties?: Schema | boolean;
    };
    const isSchema = value === undefined && name !== '';
    if ($ref !== undefined) {
      if (!isSchema) this.walk(this.document.components.schemas[nameIn($ref)]!, value, nameIn($ref), visit);
      return;
    }
    for (const one of anyOf)
      if (!isSchema && this.validatorOf(one)(value)) this.walk(one, value, name, visit);
    if (items && Array.isArray(value)) for (const item of value) this.walk(items, item, name, visit);
    if (typeof additionalProperties === 'object' && typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) this.walk(additionalProperties, inner, name, visit);
    for (const [field, inner] of Object.entries(properties)) {
      const found = (value as Record<string, unknown> | undefined)?.[field];
      if (name !== '') visit(`${name}.${field}`, found);
      if (isSchema || found !== undefined)
        this.walk(inner, found, name === '' ? '' : `${name}.${field}`, visit);
    }
  }

  private validatorOf(schema: Schema): ValidateFunction {
    let validator = this.validators.get(schema);
    if (!validator) this.validators.set(schema, (validator = this.ajv.compile(forAjv(schema) as object)));
    return validator;
  }
}
