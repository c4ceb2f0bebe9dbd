/** The parts of an OpenAPI document that the generators read. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly enum?: readonly (string | boolean | null)[];
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

/**
 * Loads the OpenAPI document of the api from its sources. It is a dynamic import, because no package may depend on an
 * app.
 */
export const loadApiDocument = async (): Promise<ApiDocument> => {
  const url = new URL('../../../apps/api/src/docs/describe-api.ts', import.meta.url);
  const { describeApi } = (await import(url.href)) as { describeApi: () => Promise<ApiDocument> };
  return JSON.parse(JSON.stringify(await describeApi())) as ApiDocument;
};
