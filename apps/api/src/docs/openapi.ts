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

/** `/docs` from the package's own files, `/docs/json` from the DTOs; made at the first request for either. */
export const setUpDocs = (app: NestFastifyApplication): void => {
  SwaggerModule.setup('docs', app, () => createDocument(app), {
    jsonDocumentUrl: 'docs/json',
    raw: ['json'],
    customSiteTitle: TITLE,
    // The default asks a service on the internet to judge the document.
    swaggerOptions: { validatorUrl: null },
  });
};
