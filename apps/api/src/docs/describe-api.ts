import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { openPool, readSettings } from '@roundhouse/config';
import { pino } from 'pino';
import { DataSource } from 'typeorm';
import { apiSettings } from '../api.config.js';
import { AppModule } from '../app.module.js';
import { createCoreV2Document, createDocument } from './openapi.js';

interface ApiDocuments {
  readonly contract: OpenAPIObject;
  readonly coreV2: OpenAPIObject;
}

/** Makes the OpenAPI documents without a running api: it opens nothing and creates no provider. */
export const describeApi = async (): Promise<ApiDocuments> => {
  const settings = readSettings(apiSettings, { DATABASE_URL: 'postgres://127.0.0.1/nowhere' });
  const database = { dataSource: new DataSource({ type: 'postgres' }), pool: openPool({}, () => undefined) };
  const module = AppModule.with(settings, pino({ level: 'silent' }), database);
  const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), {
    logger: false,
    preview: true,
  });
  return { contract: createDocument(app), coreV2: createCoreV2Document(app) };
};
