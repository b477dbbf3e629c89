/** The models and the current user for screens. Components below a screen get their data as props. */
import type { UserDocument } from '@tunemate/protocol';
import { createContext, use } from 'react';
import type { App } from './app.ts';

export const AppContext = createContext<App | null>(null);

export function useApp(): App {
  const app = use(AppContext);
  if (app === null) throw new Error('useApp needs an AppContext above it');
  return app;
}

export const UserContext = createContext<UserDocument | null>(null);

/** The current user; only on screens whose route requires a signed-in user. */
export function useUser(): UserDocument {
  const user = use(UserContext);
  if (user === null) throw new Error('useUser needs a signed-in screen around it');
  return user;
}
