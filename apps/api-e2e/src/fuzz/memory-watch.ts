/**
 * Settings of an api whose memory has no reason to grow: the cache is full early, and so is the heap. With V8's own limit,
 * garbage of some thousand requests looks like a leak on a busy machine.
 */
export const EVENLY_USED_MEMORY = {
  CACHE_MAX_BYTES: String(4 * 1024 * 1024),
  NODE_OPTIONS: '--max-old-space-size=96',
};

const MEBIBYTE = 1024 * 1024;

/** The garbage collector runs at any time: a smaller difference is not growth. */
const NOISE_BYTES = 48 * MEBIBYTE;

interface Sample {
  readonly residentBytes: number;
  readonly heapBytes: number;
}

/** Watches the memory of an api by its metrics. */
export class MemoryWatch {
  private readonly samples: Promise<Sample>[] = [];

  constructor(private readonly operationsUrl: string) {}

  note(): void {
    this.samples.push(this.read());
  }

  /** Compares the last quarter with the second; the first is the warm-up. */
  async growth(): Promise<{ readonly isFlat: boolean; readonly text: string }> {
    this.note();
    const samples = await Promise.all(this.samples);
    const quarter = Math.max(1, Math.floor(samples.length / 4));
    const early = least(samples.slice(quarter, 2 * quarter));
    const late = least(samples.slice(-quarter));
    const text = `resident ${inMebibytes(early.residentBytes)}, later ${inMebibytes(late.residentBytes)} MiB; heap ${inMebibytes(early.heapBytes)}, later ${inMebibytes(late.heapBytes)} MiB`;
    return {
      isFlat:
        late.heapBytes - early.heapBytes < NOISE_BYTES &&
        late.residentBytes - early.residentBytes < NOISE_BYTES,
      text,
    };
  }

  private async read(): Promise<Sample> {
    const text = await (await fetch(`${this.operationsUrl}/metrics`)).text();
    const metric = (name: string): number => {
      const [, value] = new RegExp(`^${name} (.+)$`, 'm').exec(text) ?? [];
      if (value === undefined) throw new Error(`There is no metric ${name}.`);
      return Number(value);
    };
    return {
      residentBytes: metric('process_resident_memory_bytes'),
      heapBytes: metric('nodejs_heap_size_used_bytes'),
    };
  }
}

const least = (samples: readonly Sample[]): Sample => ({
  residentBytes: Math.min(...samples.map(({ residentBytes }) => residentBytes)),
  heapBytes: Math.min(...samples.map(({ heapBytes }) => heapBytes)),
});

const inMebibytes = (bytes: number): string => (bytes / MEBIBYTE).toFixed(1);
