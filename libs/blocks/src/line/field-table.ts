/** Reads the value of one key. */
export type ReadField<Target> = (target: Target) => boolean;

interface Field<Target> {
  readonly name: Buffer;
  /** A bit of its own. */
  readonly bit: number;
  readonly read: ReadField<Target>;
}

/** The keys of an object that matter, and how the value of each is read. */
export class FieldTable<Target> {
  private readonly byLength: (readonly Field<Target>[] | undefined)[] = [];
  /** The bits of all fields that may not be missing. */
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

  /** The field with the name that lies between two places; undefined where none has it. */
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
