import type { BeforeImage } from '@roundhouse/chain';
import { Column as TypeormColumn, Entity, getMetadataArgsStorage } from 'typeorm';
import { Column, HasRoles, PrimaryColumn, rolesOf } from './decorators.js';
import { changingColumns, keyOf, tableOf, type EntityClass, type Table } from './table-of.js';

/** A table of before-images. */
export interface UndoTable<Row extends object = object> extends Table<BeforeImage<Row>> {
  /** The table that the before-images belong to. */
  readonly of: Table<Row>;
}

/**
 * The entity of a table's before-images. It has the columns that change; if rows never change and are only inserted and
 * deleted, it has all. A decorator could add these columns to a class, but the compiler would not know of them.
 */
export const undoOf = <Row extends object>(
  of: EntityClass<Row>,
  tableOptions: { readonly comment?: string } = {},
): EntityClass<BeforeImage<Row>> => {
  const table = tableOf(of);
  const className = `Undo${of.name}`;
  const undo = { [className]: class {} }[className] as EntityClass<BeforeImage<Row>>;
  const row = of.prototype as object;
  const image = undo.prototype as BeforeImage<object>;
  Entity(`undo_${table.name}`, tableOptions)(undo);
  PrimaryColumn('integer')(image, 'height');
  Column('boolean')(image, 'existed');
  const changing = changingColumns(table);
  const kept = [...keyOf(table), ...(changing.length > 0 ? changing : table.columns)];
  for (const { propertyName, options } of getMetadataArgsStorage().filterColumns(of)) {
    if (!kept.some(({ property }) => property === propertyName)) continue;
    TypeormColumn({ ...options, comment: undefined })(image, propertyName);
    HasRoles(rolesOf(row, propertyName))(image, propertyName);
  }
  return undo;
};
