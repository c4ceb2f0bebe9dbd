import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/** The folder of the files that `@nestjs/swagger` brings for its page. */
const FILES = dirname(
  createRequire(createRequire(import.meta.url).resolve('@nestjs/swagger')).resolve(
    'swagger-ui-dist/package.json',
  ),
);

const pageWith = (folder: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Roundhouse public read API</title>
    <link rel="icon" href="${folder}favicon-32x32.png" />
    <link rel="stylesheet" href="${folder}swagger-ui.css" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="${folder}swagger-ui-bundle.js"></script>
    <script src="${folder}swagger-ui-init.js"></script>
  </body>
</html>
`;

// By default, the page sends the document to a validator on the internet.
const SCRIPT = `SwaggerUIBundle({
  url: new URL('json', document.currentScript.src).href,
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
});
`;

const documentOf = async (app: NestFastifyApplication): Promise<string> => {
  const { createDocument } = await import('./openapi.js');
  return JSON.stringify(createDocument(app));
};

/** Serves `/docs` from Swagger's files and `/docs/json` from the DTOs. The first request for `/docs/json` loads Swagger. */
export const setUpDocs = (app: NestFastifyApplication): void => {
  const server = app.getHttpAdapter().getInstance();
  let document: Promise<string> | undefined;
  // With and without a slash at its end, it is one route.
  server.get('/docs', async ({ url }, reply) =>
    reply.type('text/html; charset=utf-8').send(pageWith(/^[^?]*\/(\?|$)/.test(url) ? './' : './docs/')),
  );
  server.get('/docs/index.html', async (_, reply) =>
    reply.type('text/html; charset=utf-8').send(pageWith('./')),
  );
  server.get('/docs/swagger-ui-init.js', async (_, reply) =>
    reply.type('application/javascript; charset=utf-8').send(SCRIPT),
  );
  server.get('/docs/json', async (_, reply) =>
    reply.type('application/json; charset=utf-8').send(await (document ??= documentOf(app))),
  );
  void server.register(fastifyStatic, { root: FILES, prefix: '/docs', decorateReply: false });
};
