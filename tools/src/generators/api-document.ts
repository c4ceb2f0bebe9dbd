/** The parts of an OpenAPI document that the generators read. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | boolean | null)[];
  readonly nullable?: boolean;
  readonly description?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, { readonly get?: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface ApiDocuments {
  readonly contract: ApiDocument;
  /** Of Core's version 2. */
  readonly coreV2: ApiDocument;
}

/**
 * Loads the OpenAPI documents of the api from its sources. It is a dynamic import, because no package may depend on an
 * app.
 */
export const loadApiDocuments = async (): Promise<ApiDocuments> => {
  const url = new URL('../../../apps/api/src/docs/describe-api.ts', import.meta.url);
  const { describeApi } = (await import(url.href)) as { describeApi: () => Promise<ApiDocuments> };
  return JSON.parse(JSON.stringify(await describeApi())) as ApiDocuments;
};
