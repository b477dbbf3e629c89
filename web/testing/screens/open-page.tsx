/** Opens the whole app at an address, as a browser does, over a fake of the server. */
import { protocolVersion, type AppConfig, type UserSnapshot, type SessionState } from '@tunemate/protocol';
import { useEffect } from 'react';
import { expect } from 'vitest';
import { cleanup, configure, render } from 'vitest-browser-react/pure';
import { createApp, startApp } from '../../src/app.ts';
import { openingAt, routeAt } from '../../src/routes.tsx';
import { keepHeard } from '../../src/shell/after-start.ts';
import { healLostParts } from '../../src/shell/lost-part.ts';
import { Root } from '../../src/shell/Root.tsx';
import { createFakeServer, type FakeServer } from './fake-server.ts';
import { aSnapshot, mara } from '../connection-fixtures.ts';

// As main.tsx does.
configure({ reactStrictMode: true });
keepHeard();

export interface Visit {
  /** The session; Mara is signed in when left out. */
  readonly session?: SessionState;
  /** Mara's snapshot, beyond her account. */
  readonly own?: Partial<UserSnapshot>;
  readonly config?: Partial<AppConfig>;
  /** Sets the server's answers before the page sends a request. */
  readonly prepare?: (server: FakeServer) => void;
}

export const signedOut: SessionState = { status: 'signed-out' };

/** From now on the server takes the page for Mara's, who has just signed in. */
export function becomeMara(server: FakeServer): void {
  server.on('GET /api/session', () => ({ ok: true, value: { status: 'signed-in', user: mara } }));
  server.on('session/hello', () => ({ ok: true, value: aSnapshot({ serverNowMs: Date.now() }) }));
}

interface OpenPage {
  readonly server: FakeServer;
  readonly app: ReturnType<typeof createApp>;
}

let open: OpenPage | null = null;

/** Opens `path` and resolves when the page was drawn for the first time. */
export async function openPage(path: string, visit: Visit = {}): Promise<OpenPage> {
  const { session = { status: 'signed-in', user: mara }, own, config, prepare } = visit;
  const server = createFakeServer({
    session,
    snapshot: session.status === 'signed-in' ? aSnapshot({ serverNowMs: Date.now(), ...own }) : null,
    config: {
      protocolVersion,
      youtubeSearch: false,
      youtubeVisiblePlayer: false,
      tokenSyncUrl: null,
      openAt: null,
      signUp: 'open',
      ...config,
    },
  });
  prepare?.(server);
  history.replaceState(null, '', path);
  const app = createApp(server);
  open = { server, app };
  healLostParts(app);
  void startApp(app, openingAt(routeAt(location.pathname)?.route));
  const root = document.createElement('div');
  root.id = 'root';
  document.body.append(root);
  const { promise: drawn, resolve } = Promise.withResolvers<void>();
  await render(
    <>
      <Root app={app} />
      <Drawn then={resolve} />
    </>,
    { container: root },
  );
  await drawn;
  return open;
}

/** Last in the tree, so its effect runs after those of all that was drawn with it. */
function Drawn({ then }: { then: () => void }): null {
  useEffect(then, [then]);
  return null;
}

/** Closes the page, and fails the test when the page sent a request without an answer. */
export async function closePage(): Promise<void> {
  const closed = open;
  open = null;
  if (closed === null) return;
  // What was focused is not lost, it is over.
  document.dispatchEvent(new PointerEvent('pointerdown'));
  await cleanup();
  closed.app.connection.stop();
  // What this page has not begun to store yet would stand in the storage of the next one.
  closed.app.kept.start = () => undefined;
  await closed.app.kept.clear();
  document.querySelector('#root')?.remove();
  expect(closed.server.unforeseen, 'asked of the server, and not foreseen').toEqual([]);
}
