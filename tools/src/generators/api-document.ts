/** What of an OpenAPI document the generators read. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly enum?: readonly (string | boolean)[];
  readonly nullable?: boolean;
  readonly description?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
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
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The document of the api as its sources are now. Apps are nobody's dependency: it is loaded from where they lie. */
export const loadApiDocument = async (): Promise<ApiDocument> => {
  const url = new URL('../../../apps/api/src/docs/describe-api.ts', import.meta.url);
  const { describeApi } = (await import(url.href)) as { describeApi: () => Promise<ApiDocument> };
  return JSON.parse(JSON.stringify(await describeApi())) as ApiDocument;
};
