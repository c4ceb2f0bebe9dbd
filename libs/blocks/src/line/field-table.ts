/** Reads the value of one key. */
export type ReadField<Target> = (target: Target) => boolean;

interface Field<Target> {
  readonly name: Buffer;
  /** Unique within the table. */
  readonly bit: number;
  readonly read: ReadField<Target>;
}

/** The relevant keys of an object, and how to read the value of each. */
export class FieldTable<Target> {
  private readonly byLength: (readonly Field<Target>[] | undefined)[] = [];
  /** The bits of all required fields. */
  readonly required: number = 0;

  constructor(
    required: Readonly<Record<string, ReadField<Target>>>,
    optional: Readonly<Record<string, ReadField<Target>>> = {},
  ) {
    let bit = 1;
    for (const [name, read] of Object.entries({ ...required, ...optional })) {
      this.byLength[name.length] = [
        ...(this.byLength[name.length] ?? []),
        { name: Buffer.from(name), bit, read },
      ];
      if (Object.hasOwn(required, name)) this.required |= bit;
      bit <<= 1;
    }
  }

  /** The field whose name lies between two offsets; undefined if there is none. */
  find(bytes: Uint8Array, start: number, stop: number): Field<Target> | undefined {
    const candidates = this.byLength[stop - start];
    if (candidates === undefined) return undefined;
    for (const field of candidates) {
      const { name } = field;
      let i = 0;
      while (i < name.length && name[i] === bytes[start + i]) i += 1;
      if (i === name.length) return field;
    }
    return undefined;
  }
}
