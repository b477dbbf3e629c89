import { describe, expect, test } from 'vitest';
import { forbiddenImports } from './arrows.mjs';

const planted = (path, text) => forbiddenImports([{ path, text }]);

/** Rules and files that more than one case is about. */
const playback = 'playback imports nothing but itself';
const protocol = 'protocol imports the schema library, and types of playback';
const service = 'a service knows no transport and no database';
const product = 'product code imports no test kit, journey or bench';
const support = 'web brings its own test support';
const rooms = 'server/src/rooms/lifecycle/rooms.ts';
const timeline = 'playback/src/room/timeline.ts';
const model = 'web/src/rooms/visit/room-model.ts';
const kit = `import { createFakeClock } from '@tunemate/testkit/fake-clock'`;

describe('import arrows', () => {
  test.each([
    [timeline, `import { limits } from '@tunemate/protocol'`, playback],
    [timeline, `import { now } from 'node:perf_hooks'`, playback],
    ['protocol/src/rooms/rooms.ts', `import { bond } from '@tunemate/domain'`, protocol],
    ['protocol/src/playback.ts', `import { play } from '@tunemate/playback'`, protocol],
    ['domain/src/rooms/rooms.ts', `import { z } from 'zod'`, 'domain imports protocol only'],
    [rooms, `import fastify from 'fastify'`, service],
    [rooms, `import { sql } from 'kysely'`, service],
    [rooms, `import { end } from './rooms-handlers.ts'`, service],
    [rooms, `import type { A } from '../../chats/ticks.ts'`, 'rooms does not use chats'],
    [
      'server/src/rooms/lifecycle/rooms-store.ts',
      `import { s } from './rooms-service.ts'`,
      'a store knows no service and no transport',
    ],
    [
      'server/src/rooms/rooms-routes.ts',
      `import { s } from './rooms-store.ts'`,
      'routes and handlers know no store and no database',
    ],
    [
      'server/src/http/http-server.ts',
      `import { r } from '../rooms/rooms-service.ts'`,
      'shared server folders know no feature',
    ],
    ['server/src/main.ts', kit, product],
    ['web/testing/connection-fixtures.ts', kit, support],
    ['web/src/chats/receipts.test.ts', kit, support],
    [model, `import { guest } from '../../../testing/fake-connection.ts'`, product],
    [model, `import { useState } from 'react'`, 'a model knows no React and no DOM library'],
    [
      'web/src/rooms/RoomHead.tsx',
      `import { socket } from '../connection/socket.ts'`,
      'a component reaches the server through its model only',
    ],
    ['web/src/chats/ChatScreen.tsx', `import { RoomHead } from '../rooms/RoomHead.tsx'`, 'chats does not use rooms'],
    ['web/src/ui/buttons/Button.tsx', `import type { RoomKind } from '@tunemate/protocol'`, 'ui knows no feature'],
    ['web/src/connection/socket.ts', `import { memo } from 'react'`, 'the connection knows no React and no feature'],
    ['web/src/main.tsx', `const page = lazy(() => import('../../server/src/main.ts'))`, 'the web knows no server code'],
    [
      'server/src/main.ts',
      `export * from '../../protocol/src/wire/fields.ts'`,
      'another workspace is imported by its name',
    ],
  ])('catches in %s: %s', (path, text, name) => {
    expect(planted(path, text)).toContainEqual(expect.stringContaining(name));
  });

  test.each([
    ['playback/src/follow/follower.ts', `import { at } from './timeline.ts'`],
    [rooms, `import type { Transaction } from 'kysely'; import { roomById } from './rooms-store.ts'`],
    [
      'server/src/accounts/accounts-routes.ts',
      `import { close } from './accounts-service.ts'; import { ok } from '../http/answers.ts'`,
    ],
    [
      'server/src/app/app.ts',
      `import { rooms } from './rooms/rooms-service.ts'; import { chats } from './chats/chats-service.ts'`,
    ],
    ['web/src/routes.tsx', `import { Chat } from './chats/Chat.tsx'; import { Seats } from './rooms/Seats.tsx'`],
    ['web/src/ui/buttons/Button.tsx', `import { memo } from 'react'; import './Button.module.css'`],
    ['web/testing/fake-link.ts', `import { expect } from 'vitest'`],
    [
      'server/src/rooms/lifecycle/rooms.test.ts',
      `import { describeEachDialect } from '@tunemate/testkit/services/dialects'`,
    ],
  ])('lets pass in %s: %s', (path, text) => {
    expect(planted(path, text)).toEqual([]);
  });
});
