import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';
import { HEADERS } from './operation.js';

const TITLE = 'Roundhouse public read API';

interface Schema {
  nullable?: boolean;
  readonly allOf?: readonly { readonly $ref: string }[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

export const createDocument = (app: NestFastifyApplication): OpenAPIObject => {
  const config = new DocumentBuilder()
    .setTitle(TITLE)
    .setDescription(
      'Read-only answers about one chain of the ARK family. Amounts are in arktoshi: 1/100,000,000 of a token.',
    )
    .setVersion('1')
    .setOpenAPIVersion('3.0.3')
    .addServer('/', 'The API that serves this document')
    .build();
  const document = SwaggerModule.createDocument(app, { ...config, components: { headers: HEADERS } });
  admitNulls(document);
  return document;
};

/** A reference takes null only if the schema that it names does, whatever stands beside it. */
const admitNulls = ({ components }: OpenAPIObject): void => {
  const schemas = components!.schemas as Record<string, Schema>;
  for (const { properties = {} } of Object.values(schemas)) {
    for (const { nullable, allOf = [] } of Object.values(properties)) {
      for (const { $ref } of nullable ? allOf : []) schemas[$ref.split('/').at(-1)!]!.nullable = true;
    }
  }
};

/** Serves `/docs` from Swagger's files and `/docs/json` from the DTOs. The first request creates the document. */
export const setUpDocs = (app: NestFastifyApplication): void => {
  let document: OpenAPIObject | undefined;
  let json: Buffer | undefined;
  const described = (): OpenAPIObject => (document ??= createDocument(app));
  SwaggerModule.setup('docs', app, described, {
    raw: false,
    customSiteTitle: TITLE,
    // By default, the page sends the document to a validator on the internet.
    swaggerOptions: { validatorUrl: null },
  });
  // Swagger writes the document again for each request.
  const server = app.getHttpAdapter().getInstance();
  server.get('/docs/json', (_request, reply) =>
    reply.type('application/json; charset=utf-8').send((json ??= Buffer.from(JSON.stringify(described())))),
  );
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
