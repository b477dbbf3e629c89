/* Entry of the parts gallery: a development page, never part of the product's build.
   The hash picks a page: none = all parts, #room, #audio, #app, #task, #auth = whole frames. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ModalHost } from '../ui/dialogs/ModalHost.tsx';
import { ToastHost } from '../ui/notices/ToastHost.tsx';
import '../styles/global.css';
import { FramePage } from './FramePage.tsx';
import { PartsPage } from './PartsPage.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root');
const page = location.hash.slice(1);

createRoot(root).render(
  <StrictMode>
    <ToastHost>
      <ModalHost>{page === '' ? <PartsPage /> : <FramePage page={page} />}</ModalHost>
    </ToastHost>
  </StrictMode>,
);
