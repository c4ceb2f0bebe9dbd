import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import * as swagger from '@nestjs/swagger';
import { describeFields } from '@roundhouse/dto';
import { decorateDocumented } from './documented.decorator.js';

/** Makes the OpenAPI document from the controllers and the DTOs. */
export const createDocument = (app: NestFastifyApplication): swagger.OpenAPIObject => {
  decorateDocumented(swagger);
  describeFields(swagger.ApiProperty);
  const config = new swagger.DocumentBuilder()
    .setTitle('Roundhouse public read API')
    .setDescription(
      'Read-only answers about one chain of the ARK family. Amounts are in arktoshi: 1/100,000,000 of a token.',
    )
    .setVersion('1')
    .build();
  return swagger.SwaggerModule.createDocument(app, config);
};
