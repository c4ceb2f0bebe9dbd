import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/** Swagger's page has inline styles and requests only this api. The server that terminates TLS sets HSTS. */
const DOCS: FastifyHelmetOptions = {
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
};

/**
 * Secures the pages below `/docs`, the only ones that Fastify writes; all other answers get their headers from
 * `http/headers.ts`. Call this before the routes are registered.
 */
export const secureDocs = async (server: FastifyInstance): Promise<void> => {
  server.addHook('onRoute', (route) => {
    if (route.url.startsWith('/docs')) route.helmet = {};
  });
  await server.register(helmet, { ...DOCS, global: false });
};
