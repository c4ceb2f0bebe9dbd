import type { ChainEvent } from '@roundhouse/storage';

/** An event as it is sent. */
export interface EventFrame extends Pick<ChainEvent, 'sequence' | 'kind'> {
  readonly text: string;
}

export const frameOf = ({ sequence, kind, data }: ChainEvent): EventFrame => ({
  sequence,
  kind,
  text: `id: ${sequence}\nevent: ${kind}\ndata: ${data}\n\n`,
});

export const textOf = (frames: readonly EventFrame[]): string => frames.map(({ text }) => text).join('');

/** Without an id: the one that the client has is worth nothing, and the next event brings another. */
export const RESET = 'event: reset\ndata: {"commonHeight":0}\n\n';

export const HEARTBEAT = ': still here\n\n';

/** Not the same for all: those of a pod that stopped do not come to the others at one moment. */
export const retry = (): string => `retry: ${1000 + Math.floor(Math.random() * 2000)}\n\n`;
