import type { INestApplication, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { CORE_SCHEMAS } from '@roundhouse/dto/core-v2';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';
import { AppModule } from '../app.module.js';
import { CoreV2Module } from '../core-v2/core-v2.module.js';
import { HEADERS } from './operation.js';

const TITLE = 'Roundhouse public read API';

interface Schema {
  nullable?: boolean;
  readonly allOf?: readonly { readonly $ref: string }[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** What a document is about: the controllers of one module. */
interface About extends Pick<OpenAPIObject, 'components'> {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly openApiVersion: string;
  readonly module: Type;
}

const describe = (
  app: INestApplication,
  { title, description, version, openApiVersion, module, components }: About,
): OpenAPIObject => {
  const config = new DocumentBuilder()
    .setTitle(title)
    .setDescription(description)
    .setVersion(version)
    .setOpenAPIVersion(openApiVersion)
    .addServer('/', 'The API that serves this document')
    .build();
  return SwaggerModule.createDocument(app, { ...config, components }, { include: [module] });
};

export const createDocument = (app: INestApplication): OpenAPIObject => {
  const document = describe(app, {
    title: TITLE,
    description:
      'Read-only answers about one chain of the ARK family. Amounts are in arktoshi: 1/100,000,000 of a token.',
    version: '1',
    openApiVersion: '3.0.3',
    module: AppModule,
    components: { headers: HEADERS },
  });
  admitNulls(document);
  return document;
};

/** The document of Core's version 2. */
export const createCoreV2Document = (app: INestApplication): OpenAPIObject =>
  describe(app, {
    title: `${TITLE}: version 2 of Core`,
    description:
      'What a Core 3.9.1 node answers. The same routes are below `/api` with the header `API-Version: 2`, and on CORE_V2_PORT. Amounts are text, in arktoshi. Commas in a parameter, and repetition, separate alternatives.',
    version: '2',
    // Its schemas are those of JSON Schema.
    openApiVersion: '3.1.0',
    module: CoreV2Module,
    components: { schemas: CORE_SCHEMAS },
  });

/** A reference takes null only if the schema that it names does, whatever stands beside it. */
const admitNulls = ({ components }: OpenAPIObject): void => {
  const schemas = components!.schemas as Record<string, Schema>;
  for (const { properties = {} } of Object.values(schemas)) {
    for (const { nullable, allOf = [] } of Object.values(properties)) {
      for (const { $ref } of nullable ? allOf : []) schemas[$ref.split('/').at(-1)!]!.nullable = true;
    }
  }
};

/** Serves a page from Swagger's files, and below it `json` from the classes. The first request creates the document. */
const setUp = (
  app: NestFastifyApplication,
  path: string,
  title: string,
  create: (app: INestApplication) => OpenAPIObject,
): void => {
  let document: OpenAPIObject | undefined;
  let json: Buffer | undefined;
  const described = (): OpenAPIObject => (document ??= create(app));
  SwaggerModule.setup(path, app, described, {
    raw: false,
    customSiteTitle: title,
    // By default, the page sends the document to a validator on the internet.
    swaggerOptions: { validatorUrl: null },
  });
  // Swagger writes the document again for each request.
  const server = app.getHttpAdapter().getInstance();
  server.get(`/${path}/json`, (_request, reply) =>
    reply.type('application/json; charset=utf-8').send((json ??= Buffer.from(JSON.stringify(described())))),
  );
};

export const setUpDocs = (app: NestFastifyApplication): void => {
  setUp(app, 'docs', TITLE, createDocument);
  setUp(app, 'docs/v2', `${TITLE}: version 2 of Core`, createCoreV2Document);
};

/** Swagger's page has inline styles and requests only this api. The server that terminates TLS sets HSTS. */
const secure = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  crossOriginResourcePolicy: { policy: 'cross-origin' },
  strictTransportSecurity: false,
});

/**
 * Secures the pages below `/docs`, the only ones that Fastify writes; all other answers get their headers from
 * `Door`. Call this before the routes are registered.
 */
export const secureDocs = (server: FastifyInstance): void => {
  server.addHook('onRoute', (route) => {
    if (!route.url.startsWith('/docs')) return;
    // Fastify's plugin for helmet would have two hooks on every route.
    route.onRequest = ({ raw }, reply, done) => secure(raw, reply.raw, () => done());
  });
};
