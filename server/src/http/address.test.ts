import { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';
import { createOrigins } from './address.ts';

const at = (address: string, of: string) => ({ address, of });
const network = { addresses: () => [at('192.168.1.5', 'eth0'), at('10.0.0.7', 'eth1')] };
const unset = { publicUrl: 'http://localhost:3000', isPublicUrlGiven: false, host: '0.0.0.0' };

describe('the origins of this installation', () => {
  test('without PUBLIC_URL are every address of this machine, at the server’s port (HTTP-33)', () => {
    const origins = createOrigins(unset, network.addresses);
    for (const own of [
      'http://localhost:3000',
      'http://127.0.0.1:3000',
      'http://[::1]:3000',
      'http://192.168.1.5:3000',
    ])
      expect(origins.isOwn(own), own).toBe(true);
    for (const foreign of [
      'http://192.168.1.6:3000',
      'http://192.168.1.5:3001',
      'https://192.168.1.5:3000',
      'http://192.168.1.5.evil.example:3000',
      'http://evil.example:3000',
      'null',
    ])
      expect(origins.isOwn(foreign), foreign).toBe(false);
    expect(origins.onNetwork()).toEqual(['http://192.168.1.5:3000', 'http://10.0.0.7:3000']);
  });

  test('are read from the machine: IPv4, without the loopback (HTTP-33)', () => {
    const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    const expected = addresses.filter(({ family, internal }) => family === 'IPv4' && !internal);
    const origins = expected.map(({ address }) => `http://${address}:3000`);
    expect(createOrigins(unset).onNetwork().toSorted()).toEqual(origins.toSorted());
  });

  test('follow the port that is known only once the server listens (HTTP-33)', () => {
    const origins = createOrigins(unset, network.addresses);
    origins.listensOn(4567);
    expect(origins.isOwn('http://10.0.0.7:4567')).toBe(true);
    expect(origins.isOwn('http://10.0.0.7:3000')).toBe(false);
  });

  test('are only the loopback when the server listens only there (HTTP-33)', () => {
    const origins = createOrigins({ ...unset, host: '127.0.0.1' }, network.addresses);
    expect(origins.isOwn('http://192.168.1.5:3000')).toBe(false);
    expect(origins.onNetwork()).toEqual([]);
  });

  test('with PUBLIC_URL are only that one (HTTP-33)', () => {
    const origins = createOrigins(
      { ...unset, publicUrl: 'http://localhost:3000', isPublicUrlGiven: true },
      network.addresses,
    );
    expect(origins.isOwn('http://localhost:3000')).toBe(true);
    expect(origins.isOwn('http://127.0.0.1:3000')).toBe(false);
    expect(origins.isOwn('http://192.168.1.5:3000')).toBe(false);
    expect(origins.onNetwork()).toEqual([]);
  });

  test('links name the first private address of a network, not of containers and tunnels (HTTP-47)', () => {
    const addresses = [at('172.17.0.1', 'docker0'), at('203.0.113.4', 'eth1'), at('192.168.1.5', 'wlan0')];
    const origins = createOrigins(unset, () => addresses);
    expect(origins.linkUrl()).toBe('http://192.168.1.5:3000');
    expect(createOrigins({ ...unset, host: '127.0.0.1' }, () => addresses).linkUrl()).toBe('http://localhost:3000');
    const given = { ...unset, publicUrl: 'https://tunes.example', isPublicUrlGiven: true };
    expect(createOrigins(given, () => addresses).linkUrl()).toBe('https://tunes.example');
  });

  test('links name the address that another machine last opened a page at; no Host header adds one (HTTP-47)', () => {
    const origins = createOrigins(unset, network.addresses);
    origins.noteOpened('10.0.0.7:3000', '10.0.0.9');
    expect(origins.linkUrl()).toBe('http://10.0.0.7:3000');
    for (const host of [
      'evil.example',
      '192.168.1.6:3000',
      '192.168.1.5:80',
      'localhost:3000',
      'a@192.168.1.5:3000',
      undefined,
    ])
      origins.noteOpened(host, '10.0.0.9');
    // Of this machine itself.
    origins.noteOpened('192.168.1.5:3000', '127.0.0.1');
    origins.noteOpened('192.168.1.5:3000', '192.168.1.5');
    expect(origins.linkUrl()).toBe('http://10.0.0.7:3000');
    expect(origins.choices().map(({ origin }) => origin)).toEqual(['http://10.0.0.7:3000', 'http://192.168.1.5:3000']);
  });
});
