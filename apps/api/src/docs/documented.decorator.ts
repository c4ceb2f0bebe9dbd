import type * as Swagger from '@nestjs/swagger';

type Decorators = (swagger: typeof Swagger) => readonly (ClassDecorator | MethodDecorator)[];

const waiting: ((swagger: typeof Swagger) => void)[] = [];

/**
 * Decorates a controller or a route with Swagger's decorators, in this order, when the OpenAPI document is made. A start
 * that loaded Swagger would take an eighth longer.
 */
export const Documented =
  (decorators: Decorators): ClassDecorator & MethodDecorator =>
  (target: object, key?: string | symbol, descriptor?: PropertyDescriptor): void => {
    waiting.push((swagger) => {
      for (const decorate of decorators(swagger) as readonly MethodDecorator[])
        decorate(target, key!, descriptor!);
    });
  };

/** The group of a controller's routes in the document. */
export const Tag = (name: string): ClassDecorator => Documented(({ ApiTags }) => [ApiTags(name)]);

/** Applies the decorators of all routes that were loaded. Swagger would list parameters twice if they were applied again. */
export const decorateDocumented = (swagger: typeof Swagger): void => {
  for (const decorate of waiting.splice(0)) decorate(swagger);
};
