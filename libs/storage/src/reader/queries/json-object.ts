interface JsonField {
  /** SQL of the value. */
  readonly value: string;
  /**
   * `text`: any text, escaped. `plain`: text of digits, hexadecimal or base58, which needs no escape; escaping it would
   * cost more than all the rest. `integer`: with all its digits. `flag`: true or false.
   */
  readonly form: 'text' | 'plain' | 'integer' | 'flag';
  readonly isNullable?: boolean;
}

const written = ({ value, form }: JsonField): string => {
  switch (form) {
    case 'text':
      return `to_json(${value})::text`;
    case 'plain':
      return `'"' || ${value} || '"'`;
    case 'integer':
    case 'flag':
      return `(${value})::text`;
  }
};

/** SQL of a JSON object as text, its fields in the order given; null where a value is null that may not be. */
export const jsonObject = (fields: Readonly<Record<string, JsonField>>): string => {
  const parts = Object.entries(fields).map(([name, field], index) => {
    const prefix = `'${index === 0 ? '{' : ','}"${name}":'`;
    return `${prefix} || ${field.isNullable ? `coalesce(${written(field)}, 'null')` : written(field)}`;
  });
  // Literals that meet become one: each || is a copy of the text so far.
  return `${parts.join(' || ')} || '}'`.replaceAll(`' || '`, '');
};

/**
 * SQL that makes one row of all rows of `rows`: `json`, their objects in the order of the rows, separated by commas
 * (null where there is none), and `lost`, how many held a null that may not be. PostgreSQL's own json_agg takes twice
 * as long. (OFFSET 0: otherwise each object would be written for each of the two aggregates.)
 */
export const jsonRows = (object: string, rows: string): string => `
SELECT string_agg(json, ',') AS json, count(*) - count(json) AS lost
FROM (SELECT ${object} AS json FROM (${rows}) r OFFSET 0) o`;
