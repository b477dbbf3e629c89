/** Leads a visitor to the sign-in screen and remembers where they wanted to go. */
import { useEffect, useEffectEvent } from 'react';
import { useLocation, useSearch } from 'wouter';
import { loginPath } from '../accounts/safe-next.ts';
import { accountCopy } from '../accounts/account-words.ts';
import { useModals } from '../ui/dialogs/modals.ts';
import { LoadingScreen } from '../ui/feedback/LoadingScreen.tsx';

/** With `saysWhy` the visitor is told first, and goes on by their own OK. */
export function RedirectToLogin({ saysWhy }: { saysWhy: boolean }) {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const modals = useModals();
  const leave = useEffectEvent(async (visit: { isOver: boolean }) => {
    // In development React mounts twice; only the mount that stays speaks.
    await Promise.resolve();
    if (visit.isOver) return;
    if (saysWhy) await modals.ok(accountCopy.mustBeLoggedIn);
    if (!visit.isOver) navigate(loginPath(search === '' ? path : `${path}?${search}`), { replace: true });
  });
  useEffect(() => {
    const visit = { isOver: false };
    void leave(visit);
    return () => {
      visit.isOver = true;
    };
  }, []);
  return <LoadingScreen />;
}
