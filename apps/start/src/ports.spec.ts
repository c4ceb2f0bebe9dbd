import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { freePorts } from '@roundhouse/local-postgres';
import { assertPortsAreFree } from './ports.js';

const HOST = '127.0.0.1';

describe('the ports of npm start', () => {
  const occupants: ReturnType<typeof createServer>[] = [];

  const occupy = async (port: number): Promise<void> => {
    const occupant = createServer().listen(port, HOST);
    occupants.push(occupant);
    await once(occupant, 'listening');
  };

  afterEach(() => {
    for (const occupant of occupants.splice(0)) occupant.close();
  });

  const refusal = async (ports: Record<string, number>, host = HOST): Promise<string> => {
    const wanted = Object.entries(ports).map(([variable, port]) => ({ variable, port, host }));
    return assertPortsAreFree(wanted).then(
      () => 'accepted',
      ({ message }: Error) => message,
    );
  };

  it('are accepted if they are free', async () => {
    const [PORT, OPS_PORT] = await freePorts(2);
    expect(await refusal({ PORT: PORT!, OPS_PORT: OPS_PORT! })).toBe('accepted');
  });

  it('are refused in one sentence if several are in use', async () => {
    const [PORT, DEVNET_PORT, own, next] = (await freePorts(4)) as [number, number, number, number];
    for (const port of [PORT, own, next]) await occupy(port);
    expect(await refusal({ PORT })).toBe(
      `Port ${PORT} (PORT) is in use: stop what listens there, or set PORT to another port.`,
    );
    expect(await refusal({ PORT, DEVNET_PORT, OPS_PORT: own, 'OPS_PORT + 1': next })).toBe(
      `Ports ${PORT} (PORT), ${own} (OPS_PORT) and ${next} (OPS_PORT + 1) are in use: ` +
        'stop what listens there, or set PORT and OPS_PORT to other ports.',
    );
  });

  it('are refused with the names of those that are equal, and with what else is wrong', async () => {
    const [PORT, taken] = (await freePorts(2)) as [number, number];
    await occupy(taken);
    expect(await refusal({ PORT, CORE_V1_PORT: PORT, OPS_PORT: taken })).toBe(
      `PORT and CORE_V1_PORT are both ${PORT}: set one of them to another number. ` +
        `Port ${taken} (OPS_PORT) is in use: stop what listens there, or set OPS_PORT to another port.`,
    );
  });

  it('are refused once if the host is no address of this machine', async () => {
    const [PORT, OPS_PORT] = (await freePorts(2)) as [number, number];
    expect(await refusal({ PORT, OPS_PORT }, '192.0.2.1')).toBe(
      'Cannot listen on 192.0.2.1 (EADDRNOTAVAIL): set HOST to an address of this machine.',
    );
  });
});
