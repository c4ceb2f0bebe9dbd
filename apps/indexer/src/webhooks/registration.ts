import { KNOWN_EVENTS, type WebhookContent } from '@roundhouse/storage';
import Joi from 'joi';

// What a node checks (core-webhooks 3.9, `schema.ts`), with its texts, which are Joi's.

/** Else a program would wait for what never comes. */
const UNKNOWN = `is none that an index knows: use one of ${KNOWN_EVENTS.join(', ')}`;

const fields = {
  event: Joi.string()
    .required()
    .custom((text: string, { error }) => (KNOWN_EVENTS.includes(text) ? text : error('any.custom')))
    .messages({ 'any.custom': `{{#label}} ${UNKNOWN}` }),
  target: Joi.string().uri().required(),
  enabled: Joi.boolean().required(),
  conditions: Joi.array()
    .items(
      Joi.object({
        key: Joi.string().required(),
        value: Joi.any(),
        condition: Joi.string().required(),
      }),
    )
    .required(),
};

const CREATED = Joi.object<WebhookContent>({ ...fields, enabled: Joi.boolean().default(true) });
const CHANGED = Joi.object<WebhookContent>(fields);

/** A request that a node refuses, in its words. */
export class RefusedRegistration extends Error {
  readonly code = 'WEBHOOK_REFUSED';
}

/** Checks what a client sent. Throws `RefusedRegistration` that names the first fault. */
export const readRegistration = (payload: unknown, isNew: boolean): WebhookContent => {
  const result = (isNew ? CREATED : CHANGED).required().validate(payload ?? '');
  if (result.error) throw new RefusedRegistration(result.error.message);
  return result.value;
};
