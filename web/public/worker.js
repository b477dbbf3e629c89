/**
 * The worker of the installed app. It shows push messages while the app is closed and opens the right screen when the user
 * taps one, and it stores the files of the app, so that a page opens without a network. It never answers for the server:
 * requests to /api and /media, sockets and uploads pass it by. Pages work the same without it.
 */

/** The build writes the names of its files before this script (web/vite.config.ts); without them nothing is stored. */
const { name: shellName = null, language = 'en', files = [] } = self.tunemateShell ?? {};
const shellPrefix = 'tunemate-shell-';
/** The page of all addresses that have no page of their own. */
const pagePath = '/login';
/** A network that takes longer is as good as none, if the page is stored. */
const patienceMs = 3000;
const joinPaths = { video: '/join', audio: '/join-audio-room' };

/** Marks a sentence; the build writes it in the language of this file (web/src/language/t.ts). */
const t = (parts, ...values) => String.raw({ raw: parts }, ...values);

const describe = ({ type, uid, name, kind, code, room }) => {
  switch (type) {
    case 'message':
      return { body: t`${name} sent you a message`, path: `/chat/${uid}` };
    case 'soulmate':
      return { body: t`${name} asks to be your soulmate`, path: '/notifications' };
    case 'tunemate':
      return { body: t`${name} asks to be your tunemate`, path: '/notifications' };
    case 'invitation':
      return {
        body: t`${name} invites you to listen together`,
        path: room ? `${joinPaths[room.kind]}?code=${room.code}` : '/notifications',
      };
    case 'joinRequest':
      return {
        body: t`${name} wants to join your room`,
        path: `${kind === 'audio' ? '/audio-room' : '/tunemate'}/${code}`,
      };
    default:
      return { body: t`There is something new for you`, path: '/' };
  }
};

const read = (data) => {
  try {
    return data.json();
  } catch {
    return {};
  }
};

/** The bytes of a page that names no file of this build are another page's, as a network's page for signing in. */
async function isOwnPage(answer) {
  const text = await answer.clone().text();
  return files.some((path) => path.startsWith('/assets/') && text.includes(path));
}

/** Fetches what is stored then. Throws where something else answered in the server's place. */
async function fetchOwn(request, isOwn) {
  const answer = await fetch(request);
  if (!answer.ok || answer.redirected || !(await isOwn(answer))) throw new Error(`no answer of ours: ${request.url}`);
  return answer;
}

const isNoPage = async ({ headers }) => !(headers.get('content-type') ?? '').startsWith('text/html');

/** Copies files of the version before that did not change: their names carry a hash of their content. */
async function storeShell() {
  if (shellName === null) return;
  const shell = await self.caches.open(shellName);
  await Promise.all(
    files.map(async (path) => {
      const known = await self.caches.match(path, { ignoreVary: true });
      const file = new Request(new URL(path, self.location.origin));
      await shell.put(path, known && (await isNoPage(known)) ? known : await fetchOwn(file, isNoPage));
    }),
  );
  // Not by its address: the page of every version has the same.
  const page = new Request(new URL(pagePath, self.location.origin), {
    cache: 'no-cache',
    credentials: 'omit',
    headers: { 'accept-language': language },
  });
  await shell.put(pagePath, await fetchOwn(page, isOwnPage));
}

async function dropOlderShells() {
  const names = await self.caches.keys();
  const older = names.filter((name) => name.startsWith(shellPrefix) && name !== shellName);
  await Promise.all(older.map((name) => self.caches.delete(name)));
}

self.addEventListener('install', (event) => {
  void self.skipWaiting();
  // Without space the app still shows push messages; after any other failure the browser installs it again.
  event.waitUntil(
    storeShell().catch(async (error) => {
      await self.caches.delete(shellName);
      if (error?.name !== 'QuotaExceededError') throw error;
    }),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    Promise.all([
      dropOlderShells(),
      self.clients.claim(),
      self.registration.navigationPreload?.enable().catch(() => {}),
    ]),
  );
});

const stored = async (path) => {
  const shell = shellName === null ? null : await self.caches.open(shellName).catch(() => null);
  return await shell?.match(path, { ignoreVary: true });
};

/** Also of a content network in front of a server that does not answer. */
const isProxyError = ({ status }) => (status >= 502 && status <= 504) || (status >= 520 && status <= 530);

/** The network's page, so that an update is never hidden; the stored one where there is no answer of the server. */
async function pageFor({ request, preloadResponse }) {
  const fromNetwork = Promise.resolve(preloadResponse).then((preloaded) => preloaded ?? fetch(request));
  const shell = await stored(pagePath);
  if (!shell) return await fromNetwork;
  const late = new Promise((resolve) => {
    setTimeout(resolve, patienceMs, null);
  });
  const answer = await Promise.race([fromNetwork.catch(() => null), late]);
  return answer && !isProxyError(answer) ? answer : shell;
}

/** Proxies refuse 8 kB, and signing in first makes it longer. What is cut stays below. */
const longestAddress = 4000;

/** As much of a text as takes 2 kB in an address. */
function shortened(whole) {
  let text = whole.slice(0, 500);
  while (encodeURIComponent(text.toWellFormed()).length > 2000) text = text.slice(0, -10);
  return text.replace(/[\uD800-\uDBFF]$/u, '');
}

/** Of an article that another app shares the share screen takes the link, or else the beginning. */
function cutShare({ searchParams }) {
  const [title, text, url] = ['title', 'text', 'url'].map((name) => searchParams.get(name) ?? '');
  const link = /https?:\/\/\S+/iu.exec(`${url} ${text}`)?.[0];
  const short = link ? { url: shortened(link) } : { text: shortened(text.trim() || title.trim()) };
  return Response.redirect(new URL(`/share?${new URLSearchParams(short)}`, self.location.origin), 302);
}

async function fileFor(request) {
  return (await stored(new URL(request.url).pathname)) ?? (await fetch(request));
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const address = new URL(request.url);
  const { origin, pathname } = address;
  if (shellName === null || request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate' && pathname === '/share' && request.url.length > longestAddress)
    event.respondWith(cutShare(address));
  else if (request.mode === 'navigate' && !/^\/(?:api|media)\//.test(pathname)) event.respondWith(pageFor(event));
  else if (pathname.startsWith('/assets/')) event.respondWith(fileFor(request));
});

self.addEventListener('push', (event) => {
  const news = event.data ? read(event.data) : {};
  const { body, path } = describe(news);
  event.waitUntil(
    self.registration.showNotification('Tunemate', {
      body,
      icon: '/icon-192.png',
      // The next of one kind from one person takes the place of the last.
      tag: `${news.type}:${news.uid}`,
      // And sounds as the first did: it is another one.
      renotify: true,
      data: { path },
    }),
  );
});

/** The server's own, since it may have another one by now; Firefox says nothing of the old subscription. */
async function serverKey() {
  const answer = await fetch('/api/push/key');
  return (await answer.json()).value?.publicKey;
}

async function subscribeAnew(oldSubscription) {
  const key = (await serverKey().catch(() => null)) ?? oldSubscription?.options.applicationServerKey;
  return key
    ? await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
    : null;
}

/** Browsers renew a subscription at times; without this the server would write to the old one. */
async function renewSubscription({ oldSubscription, newSubscription }) {
  const subscription = newSubscription ?? (await subscribeAnew(oldSubscription));
  const { endpoint, keys } = subscription?.toJSON() ?? {};
  if (!endpoint || !keys) return;
  await fetch('/api/push/subscribe', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } }),
  });
}

self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(renewSubscription(event));
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
