/** The entry of the page: creates the app and renders it. */
import './styles/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createApp, startApp } from './app.ts';
import { prefetchRoom, isRoomPath } from './routes.tsx';
import { Root } from './shell/Root.tsx';
import { restoreTypedText } from './shell/page-life.ts';
import { tabStorage } from './store/lenient-storage.ts';
import { showLook } from './ui/look.ts';
import { prefetch } from './store/use-fetched.ts';

showLook();
prefetch(() => import('./shell/after-start.ts').then((code) => code.afterStart()));
const app = createApp();
const isRoom = isRoomPath(location.pathname);
if (isRoom) prefetchRoom();
startApp(app, isRoom);

const root = document.querySelector('#root');
if (root === null) throw new Error('no #root');
createRoot(root).render(
  <StrictMode>
    <Root app={app} />
  </StrictMode>,
);
restoreTypedText(tabStorage);
