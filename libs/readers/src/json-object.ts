import type { Form } from '@roundhouse/entities/tables';
import { TEXT_OF } from '@roundhouse/entities/sql';

/**
 * `text`: any text, escaped. `plain`: digits or base58, which need no escape (escaping would cost more than everything
 * else). `hex`, `block id`, `signature`: bytes of this form. `integer`: with all its digits. `flag`: true or false.
 */
type Kind = 'text' | 'plain' | Form | 'integer' | 'flag';

/** With `?`, a field is absent if its value is null. The first field of an object cannot be. */
type FieldForm = Kind | `${Kind} or null` | `${Kind}?`;

/** The form, and the SQL of the value if it is not the column of the row `r` that has the field's name. */
export type JsonField = FieldForm | readonly [form: FieldForm, value: string];

const written = (kind: Kind, value: string): string => {
  switch (kind) {
    case 'text':
      return `to_json(${value})::text`;
    case 'plain':
      return `'"' || ${value} || '"'`;
    case 'integer':
    case 'flag':
      return `(${value})::text`;
    default:
      return `'"' || ${TEXT_OF[kind](value)} || '"'`;
  }
};

const columnNamed = (name: string): string =>
  `r.${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;

/** SQL of a JSON object as text, with its fields in this order; null if a required value is null. */
export const jsonObject = (fields: Readonly<Record<string, JsonField>>): string => {
  const parts = Object.entries(fields).map(([name, field], index) => {
    const [form, value] = typeof field === 'string' ? [field, columnNamed(name)] : field;
    const text = written(form.replace(/\?$| or null$/, '') as Kind, value);
    const prefix = `'${index === 0 ? '{' : ','}"${name}":'`;
    if (form.endsWith('?')) return `coalesce(${prefix} || ${text}, '')`;
    return `${prefix} || ${form.endsWith(' or null') ? `coalesce(${text}, 'null')` : text}`;
  });
  // Adjacent literals are merged, because each || copies the whole text so far.
  return `${parts.join(' || ')} || '}'`.replaceAll(`' || '`, '');
};

/**
 * SQL that turns `rows` into one row: `json` has their objects in the order of the rows, separated by commas (null if
 * there are none); `listed` counts the rows, `lost` those in which a required value is null. PostgreSQL's json_agg takes twice as long.
 * Without OFFSET 0, each object would be built once for each of the two aggregates.
 */
export const jsonRows = (object: string, rows: string): string => `
SELECT string_agg(json, ',') AS json, count(*) AS listed, count(*) - count(json) AS lost
FROM (SELECT ${object} AS json FROM (${rows}) r OFFSET 0) o`;
