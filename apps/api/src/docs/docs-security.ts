import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/** The page has styles of its own in it, and asks this very api alone. HSTS is the word of whoever terminates TLS. */
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
 * Secures the pages below `/docs`, the only ones that Fastify writes. Answers go out with ready headers instead
 * (`http/headers.ts`). Call it before the routes are made.
 */
export const secureDocs = async (server: FastifyInstance): Promise<void> => {
  server.addHook('onRoute', (route) => {
    if (route.url.startsWith('/docs')) route.helmet = {};
  });
  await server.register(helmet, { ...DOCS, global: false });
};
