/** The entry of the page: creates the app and renders it. */
import './styles/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createApp, reloadOutdated, startApp } from './app.ts';
import { reachOf } from './connection/reach.ts';
import { openingAt, routeAt } from './routes.tsx';
import { Root } from './shell/Root.tsx';
import { restoreTypedText } from './shell/page-life.ts';
import { tabStorage } from './store/lenient-storage.ts';
import { showLook } from './ui/look.ts';

/** After this long the page is drawn as it is without an answer. */
const patienceMs = 100;
const againMs = 5000;

showLook();
// Now, and not with the page: it weighs a third of what a first visit fetches, and text has lines as long without it.
void document.fonts.load("1em 'Special Gothic Variable'").catch(() => undefined);
const app = createApp();
loadRest();
const route = routeAt(location.pathname)?.route;
// Both were asked for with the page, so they are there as a rule: what is drawn first is then the screen itself.
const ready = Promise.all([startApp(app, openingAt(route)), route?.Screen.prefetch()]);
void Promise.race([ready, new Promise((resolve) => setTimeout(resolve, patienceMs))]).then(draw);

/** Again and again: without it nothing else that is missing is fetched again. What the server lacks is of an older version. */
function loadRest(): void {
  void import('./shell/after-start.ts').then(
    (code) => code.afterStart(app),
    async () => {
      // Not in the middle of a room's music.
      if ((await reachOf(app.fetch)) === 'ours' && app.visit.get() === null) reloadOutdated();
      setTimeout(loadRest, againMs);
    },
  );
}

function draw(): void {
  const root = document.querySelector('#root');
  if (root === null) throw new Error('no #root');
  createRoot(root).render(
    <StrictMode>
      <Root app={app} />
    </StrictMode>,
  );
  restoreTypedText(tabStorage);
}
