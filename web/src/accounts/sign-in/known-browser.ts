/** Whether a user was signed in with this browser before; it names nobody, and stays after signing out. */
import { deviceStorage } from '../../store/lenient-storage.ts';

const key = 'tunemate/known-browser';

export const isKnownBrowser = (): boolean => deviceStorage.getItem(key) !== null;

export const rememberBrowser = (): void => deviceStorage.setItem(key, 'yes');
