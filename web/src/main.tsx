/** The entry of the page: creates the app and renders it. */
import './styles/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createApp, startApp } from './app.ts';
import { connectsAt, routeAt } from './routes.tsx';
import { Root } from './shell/Root.tsx';
import { restoreTypedText } from './shell/page-life.ts';
import { tabStorage } from './store/lenient-storage.ts';
import { showLook } from './ui/look.ts';
import { prefetch } from './store/use-fetched.ts';

/** After this long the page is drawn as it is without an answer. */
const patienceMs = 100;

showLook();
// Now, and not with the page: it weighs a third of what a first visit fetches, and text has lines as long without it.
void document.fonts.load("1em 'Special Gothic Variable'").catch(() => undefined);
prefetch(() => import('./shell/after-start.ts').then((code) => code.afterStart()));
const app = createApp();
const route = routeAt(location.pathname);
// Both were asked for with the page, so they are there as a rule: what is drawn first is then the screen itself.
const ready = Promise.all([startApp(app, connectsAt(route)), route?.Screen.prefetch()]);
void Promise.race([ready, new Promise((resolve) => setTimeout(resolve, patienceMs))]).then(draw);

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
