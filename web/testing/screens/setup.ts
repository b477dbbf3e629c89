/** Around each screen test: resets the browser before it, and closes the page after it. */
import '../../src/styles/global.css';
import { afterEach, beforeAll, beforeEach } from 'vitest';
import { closePage } from './open-page.tsx';
import { resetBrowser, watchNavigation } from './browser.ts';

beforeAll(watchNavigation);
beforeEach(resetBrowser);
afterEach(closePage);
