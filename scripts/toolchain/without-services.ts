/**
 * In place of shared PostgreSQL and Redis: mutants are in code that is the same on every database, and SQLite starts at
 * once.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';

export default async function withoutServices(project: TestProject): Promise<() => void> {
  const answer = JSON.stringify({ status: 'unavailable', reason: 'mutants run on SQLite only' });
  const desk = createServer((_request, response) => response.end(answer)).listen(0, '127.0.0.1');
  await once(desk, 'listening');
  project.provide('sharedServicesUrl', `http://127.0.0.1:${String((desk.address() as AddressInfo).port)}`);
  return () => void desk.close();
}
