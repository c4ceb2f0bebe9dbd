import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';

const TITLE = 'Roundhouse public read API';

export const createDocument = (app: NestFastifyApplication): OpenAPIObject => {
  const config = new DocumentBuilder()
    .setTitle(TITLE)
    .setDescription(
      'Read-only answers about one chain of the ARK family. Amounts are in arktoshi: 1/100,000,000 of a token.',
    )
    .setVersion('1')
    .build();
  return SwaggerModule.createDocument(app, config);
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
