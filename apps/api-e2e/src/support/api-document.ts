import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { getText } from './requests.js';

export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly nullable?: boolean;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Content {
  readonly schema: Schema;
}

interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, Content>>;
}

export interface ParameterSchema extends Schema {
  readonly type: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: ParameterSchema;
}

export interface Operation {
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

export interface OpenApi {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Place {
  /** As `Schema.field`. */
  readonly name: string;
  readonly isNull: boolean;
}

interface Response {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const JSON_TYPE = 'application/json';

const nameIn = (reference: string): string => reference.split('/').at(-1)!;

/** References name the schemas by themselves, and objects have no other fields than those of the document. */
const forAjv = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(forAjv);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) =>
    key === '$ref' ? [key, nameIn(inner as string)] : [key, forAjv(inner)],
  );
  const closed = 'properties' in value ? { additionalProperties: false } : {};
  return { ...closed, ...Object.fromEntries(entries) } as unknown;
};

/** The path of the document that a request is for; one that names the same segments before one with parameters. */
export const documentedPath = (paths: readonly string[], request: string): string | undefined => {
  const segments = request.split('?')[0]!.split('/');
  const isFor = (path: string): boolean => {
    const own = path.split('/');
    return (
      own.length === segments.length &&
      own.every((segment, index) => segment.startsWith('{') || segment === segments[index])
    );
  };
  return paths.filter(isFor).sort((one) => (one.includes('{') ? 1 : -1))[0];
};

/** The OpenAPI document of an api, which judges real responses. It does not depend on how the api makes the document. */
export class ApiDocument {
  private readonly ajv = formats.default(new Ajv({ strict: true, allErrors: true, keywords: ['example'] }));
  private readonly validators = new Map<Schema, ValidateFunction>();

  private constructor(readonly document: OpenApi) {
    for (const [name, schema] of Object.entries(document.components.schemas))
      this.ajv.addSchema(forAjv(schema) as object, name);
  }

  /** Throws if it has a schema that is not valid. */
  static async of(url: string): Promise<ApiDocument> {
    const document = new ApiDocument(JSON.parse((await getText(url, '/docs/json')).text) as OpenApi);
    for (const { parameters, responses } of document.operations.values()) {
      for (const { schema } of parameters) document.validatorOf(schema);
      for (const { content = {} } of Object.values(responses))
        for (const { schema } of Object.values(content)) document.validatorOf(schema);
    }
    return document;
  }

  get operations(): ReadonlyMap<string, Operation> {
    return new Map(Object.entries(this.document.paths).map(([path, { get }]) => [path, get]));
  }

  /** The documented path of a request. Throws if there is none. */
  pathOf(request: string): string {
    const path = documentedPath([...this.operations.keys()], request);
    if (path === undefined) throw new Error(`The document has no path for ${request}.`);
    return path;
  }

  /** How a response differs from the document; empty if it does not. */
  differences(request: string, { status, headers, text }: Response): string[] {
    const documented = this.responsesOf(request)[String(status)];
    const where = `${status} of ${request}`;
    if (!documented) return [`${where} is not documented`];
    const type = headers.get('content-type');
    if (!documented.content) return type === null && text === '' ? [] : [`${where} has a body`];
    const mediaType = type?.split(';')[0] ?? 'nothing';
    const content = documented.content[mediaType];
    if (!content) return [`${where} is ${mediaType}`];
    const validate = this.validatorOf(content.schema);
    const errors = validate(mediaType === JSON_TYPE ? JSON.parse(text) : text) ? [] : validate.errors!;
    return errors.map((error) => `${where}: ${sentenceOf(error)}`);
  }

  /** The documented headers that a response lacks. */
  missingHeaders(request: string, { status, headers }: Pick<Response, 'status' | 'headers'>): string[] {
    const documented = this.responsesOf(request)[String(status)]?.headers ?? {};
    return Object.keys(documented).filter((name) => !headers.has(name));
  }

  /** All places that may be null, as `Schema.field`. */
  get nullablePlaces(): string[] {
    return Object.entries(this.document.components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).flatMap(([field, { nullable }]) => (nullable ? [`${name}.${field}`] : [])),
    );
  }

  /** The places of an answer that may be null. */
  *placesIn(request: string, { status, text }: Response): Generator<Place> {
    const schema = this.responsesOf(request)[String(status)]?.content?.[JSON_TYPE]?.schema;
    if (schema && !request.endsWith('format=csv')) yield* this.walk(schema, JSON.parse(text), '');
  }

  private responsesOf(request: string): Operation['responses'] {
    return this.operations.get(this.pathOf(request))!.responses;
  }

  private *walk(
    { $ref, allOf = [], items, properties = {} }: Schema,
    value: unknown,
    name: string,
  ): Generator<Place> {
    const { schemas } = this.document.components;
    if (value === null || value === undefined) return;
    if ($ref) yield* this.walk(schemas[nameIn($ref)]!, value, nameIn($ref));
    for (const part of allOf) yield* this.walk(part, value, name);
    if (items) for (const item of value as unknown[]) yield* this.walk(items, item, name);
    for (const [field, schema] of Object.entries(properties)) {
      const inner = (value as Record<string, unknown>)[field];
      if (schema.nullable) yield { name: `${name}.${field}`, isNull: inner === null };
      yield* this.walk(schema, inner, `${name}.${field}`);
    }
  }

  private validatorOf(schema: Schema): ValidateFunction {
    let validator = this.validators.get(schema);
    if (!validator) this.validators.set(schema, (validator = this.ajv.compile(forAjv(schema) as object)));
    return validator;
  }
}

const sentenceOf = ({ instancePath, message, params }: ErrorObject): string =>
  `${instancePath} ${message} ${JSON.stringify(params)}`;
