/** The page's beginning: builds the app and draws it. */
import './styles/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createApp, startApp } from './app.ts';
import { expectRoom, isRoomPath } from './routes.tsx';
import { Root } from './shell/Root.tsx';
import { restoreTypedText } from './shell/page-life.ts';
import { tabStorage } from './store/lenient-storage.ts';

const app = createApp();
const isHurried = isRoomPath(location.pathname);
if (isHurried) expectRoom();
startApp(app, { isHurried });

const root = document.querySelector('#root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <Root app={app} />
  </StrictMode>,
);
restoreTypedText(tabStorage);
