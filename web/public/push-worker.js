/**
 * Shows news that come while the app is closed, and opens the right screen when they are tapped. It stores and fetches
 * nothing: pages work the same without it.
 */
const joinPaths = { video: '/join', audio: '/join-audio-room' };

const describe = ({ type, uid, name, kind, code, room }) => {
  switch (type) {
    case 'message':
      return { body: `${name} sent you a message`, path: `/chat/${uid}` };
    case 'soulmate':
      return { body: `${name} asks to be your soulmate`, path: '/notifications' };
    case 'tunemate':
      return { body: `${name} asks to be your tunemate`, path: '/notifications' };
    case 'invitation':
      return {
        body: `${name} invites you to listen together`,
        path: room ? `${joinPaths[room.kind]}?code=${room.code}` : '/notifications',
      };
    case 'joinRequest':
      return {
        body: `${name} wants to join your room`,
        path: `${kind === 'audio' ? '/audio-room' : '/tunemate'}/${code}`,
      };
    default:
      return { body: 'There is something new for you', path: '/' };
  }
};

const read = (data) => {
  try {
    return data.json();
  } catch {
    return {};
  }
};

self.addEventListener('install', () => void self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('push', (event) => {
  const news = event.data ? read(event.data) : {};
  const { body, path } = describe(news);
  event.waitUntil(
    self.registration.showNotification('Tunemate', {
      body,
      icon: '/icon-192.png',
      // The next of one kind from one person takes the place of the last.
      tag: `${news.type}:${news.uid}`,
      data: { path },
    }),
  );
});

/**
 * Lets the page that opens know of the tap, so that it asks to join or marks as read at once: it takes the record within
 * a minute. Written in the address, any other site could claim a tap.
 */
async function recordTap(path) {
  try {
    const records = await self.caches.open('tunemate-taps');
    await records.put(path, new Response(String(Date.now())));
  } catch {
    // Without storage the user presses something on the page.
  }
}

async function show(path) {
  await recordTap(path);
  const address = new URL(path, self.location.origin).href;
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = windows.find(({ url }) => url === address);
  if (there) {
    there.postMessage('tapped', []);
    return await there.focus();
  }
  // A window that plays in a room stays where it is.
  const idle = windows.find(({ url }) => !/^\/(?:tunemate|audio-room)\//.test(new URL(url).pathname));
  const moved = idle && (await idle.navigate(address).catch(() => null));
  return moved ? await moved.focus() : await self.clients.openWindow(address);
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data?.path ?? '/'));
});
