import { expect, it } from '@jest/globals';
import { Entity, getMetadataArgsStorage, type ValueTransformer } from 'typeorm';
import { Column, Fixed, Local, PrimaryColumn } from './decorators.js';
import { tableOf } from './table-of.js';
import { undoOf } from './undo-of.js';

@Entity('sheep')
class SheepEntity {
  @PrimaryColumn('integer') number: number;
  @Fixed() @Column('text', { comment: 'As painted on it.' }) name: string;
  @Local() @Fixed() @Column('boolean') isBlack: boolean;
  @Column('bigint', { usual: 0n }) woolGrams: bigint;
  @Column('bytea', { form: 'hex', array: true, nullable: true }) eventIds: readonly string[] | null;
}

it('a description has the columns of an entity in the order in which they are stored, with what our decorators say of them', () => {
  const not = { isKey: false, isNullable: false };
  expect(tableOf(SheepEntity)).toEqual({
    name: 'sheep',
    columns: [
      { ...not, property: 'woolGrams', name: 'wool_grams', type: 'bigint', usual: 0n, isNullable: true },
      { ...not, property: 'number', name: 'number', type: 'integer', isKey: true },
      { ...not, property: 'isBlack', name: 'is_black', type: 'boolean', isFixed: true, isLocal: true },
      { ...not, property: 'name', name: 'name', type: 'text', isFixed: true },
      { ...not, property: 'eventIds', name: 'event_ids', type: 'bytea[]', form: 'hex', isNullable: true },
    ],
  });
});

it('amounts are bigint in rows and text in the database, also in lists', () => {
  class Sums {
    @Column('bigint') one: bigint;
    @Column('bigint', { array: true }) many: readonly bigint[];
    @Column('bigint', { array: true, nullable: true }) none: readonly bigint[] | null;
  }
  const transformed = (property: keyof Sums, way: 'from' | 'to', value: unknown): unknown => {
    const { options } = getMetadataArgsStorage().columns.find(
      ({ target, propertyName }) => target === Sums && propertyName === property,
    )!;
    return (options.transformer as ValueTransformer[]).reduce<unknown>(
      (held, each) => each[way](held),
      value,
    );
  };
  expect(transformed('one', 'from', '9007199254740993')).toBe(9007199254740993n);
  expect(transformed('many', 'from', ['1', '9007199254740993'])).toEqual([1n, 9007199254740993n]);
  expect(transformed('many', 'to', [1n, 9007199254740993n])).toEqual(['1', '9007199254740993']);
  expect([transformed('none', 'from', null), transformed('none', 'to', null)]).toEqual([null, null]);
});

it('before-images have the key and the columns that change', () => {
  const { name, columns } = tableOf(undoOf(SheepEntity));
  expect(name).toBe('undo_sheep');
  expect(columns.map((column) => column.name)).toEqual([
    'wool_grams',
    'height',
    'number',
    'existed',
    'event_ids',
  ]);
});

it('the compiler refuses a property of another type than its column', () => {
  class Wrong {
    // @ts-expect-error: an amount is a bigint
    @Column('bigint') amount: number;
    // @ts-expect-error: the column can be null
    @Column('integer', { nullable: true }) rank: number;
    // @ts-expect-error: the column cannot be null
    @Column('integer') place: number | null;
    // @ts-expect-error: bytes without a form are a Buffer
    @Column('bytea') key: string;
    // @ts-expect-error: a list
    @Column('text', { array: true }) names: string;
  }
  expect(new Wrong()).toEqual({});
});
